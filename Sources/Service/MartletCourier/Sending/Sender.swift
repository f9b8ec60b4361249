import CMartletCurl
import MartletTime

/// Sends one request after the other with one handle of libcurl.
///
/// Each request has a connection of its own, except for pushes. Otherwise the handle keeps only the
/// read certificates.
final class Sender {
  private let settings: CourierSettings
  private let tokens: PushTokens
  private let handle: UnsafeMutableRawPointer?

  init(_ settings: CourierSettings, _ tokens: PushTokens) {
    self.settings = settings
    self.tokens = tokens
    handle = ccurl_new()
  }

  deinit { if let handle { ccurl_free(handle) } }

  func send(_ request: CourierRequest) -> CourierResult {
    let begin = Clock.system.monotonic()
    var result: CourierResult
    do {
      result = try attempt(request)
    } catch {
      result = CourierResult(.failed(error))
    }
    result.duration = .nanoseconds(Int64(Clock.system.monotonic() - begin))
    return result
  }

  private func attempt(
    _ request: CourierRequest
  ) throws(CourierResult.Failure) -> CourierResult {
    let destination: Destination
    do {
      destination = try Destination(request.url)
    } catch {
      throw .init(.refused, "the URL \(error)")
    }
    guard let handle else { throw .init(.courier, "libcurl has no memory") }
    let (fields, body) = try content(request, destination)
    let gate = Gate(settings.rules, destination, isPush: request.push != nil)
    let answer = Answer(
      bodyLimit: settings.bodyLimit, headerLimit: settings.headerLimit,
      keepsBeginning: request.push != nil)
    let transfer = Transfer(handle)
    let problem = transfer.prepare(request, fields, settings)
    if let problem { throw .init(.courier, problem) }
    return withExtendedLifetime((gate, answer, transfer)) {
      let body = request.method == .get ? nil : body
      return result(of: transfer.perform(body, gate, answer), request, gate, answer)
    }
  }

  /// The header fields and the body, signed and encrypted at this moment.
  private func content(
    _ request: CourierRequest, _ destination: Destination
  ) throws(CourierResult.Failure) -> (fields: [CourierRequest.Field], body: [UInt8]) {
    let now = Clock.system.now()
    if let push = request.push {
      return try push.attempt(request.body, destination, tokens, now: now)
    }
    guard let message = request.messageID else { return (request.fields, request.body) }
    let signature = WebhookSignature.fields(
      message: message, seconds: now.milliseconds / 1000, body: request.body,
      secrets: request.secrets, hmac: Libraries.hmac)
    guard let signature else { throw .init(.courier, "the message cannot be signed") }
    return (request.fields + signature, request.body)
  }

  /// - Parameter error: The error of the transfer, or `nil`.
  private func result(
    of error: String?, _ request: CourierRequest, _ gate: Gate, _ answer: Answer
  ) -> CourierResult {
    // The status decides, also if the body never ends or is cut off.
    if let status = answer.status {
      let now = Clock.system.now()
      let wait = answer.retryAfter.flatMap { RetryAfter.parse($0, now: now) }
      var result = CourierResult(.answered(status: status), retryAfter: wait)
      if request.push != nil {
        if !result.isSuccess { result.reason = PushReason(body: answer.beginning) }
        result.clockDifference = answer.date.flatMap { ClockDifference.parse($0, now: now) }
      }
      return result
    }
    if answer.isTooLong {
      let text = "the answer has more than \(settings.headerLimit) bytes of header fields"
      return CourierResult(.failed(.init(.unanswered, text)))
    }
    if !gate.wasOpened, !gate.refusals.isEmpty {
      let text = "the URL is not allowed: \(gate.refusals.joined(separator: "; "))"
      return CourierResult(.failed(.init(.refused, text)))
    }
    return CourierResult(.failed(.init(.unanswered, error ?? "the answer is not HTTP")))
  }
}
