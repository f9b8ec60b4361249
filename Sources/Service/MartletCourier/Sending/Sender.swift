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
      destination = try Destination(request.url, request.use.schemes)
    } catch {
      throw .init(.refused, "the URL \(error)")
    }
    guard let handle else { throw .init(.courier, "libcurl has no memory") }
    let (fields, body) = try content(request, destination)
    let gate = Gate(settings.rules, destination, for: request.use)
    let answer = Answer(
      bodyLimit: settings.bodyLimit, headerLimit: settings.headerLimit,
      keepsBeginning: request.push != nil)
    let transfer = Transfer(handle)
    let problem = transfer.prepare(request, destination, fields, settings)
    if let problem { throw .init(.courier, problem) }
    return withExtendedLifetime((gate, answer, transfer)) {
      let content: Transfer.Content =
        request.mail != nil ? .mail(body) : request.method == .get ? .none : .body(body)
      let failure = transfer.perform(content, gate, answer)
      guard request.mail == nil else { return Sender.mailResult(of: failure, transfer, gate) }
      return result(of: failure?.text, request, gate, answer)
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
    if let refusal = gate.refusal { return CourierResult(.failed(refusal)) }
    return CourierResult(.failed(.init(.unanswered, error ?? "the answer is not HTTP")))
  }

  /// The result of a mail: the last reply of the server (RFC 5321 section 4.2), or why the
  /// connection has failed. Only the code of a reply is stored, as of a receiver's answer.
  private static func mailResult(
    of failure: Transfer.Failure?, _ transfer: Transfer, _ gate: Gate
  ) -> CourierResult {
    guard let failure else { return CourierResult(.answered(status: transfer.status ?? 250)) }
    if let refusal = gate.refusal { return CourierResult(.failed(refusal)) }
    if let status = transfer.status, 400...599 ~= status {
      return CourierResult(.answered(status: status))
    }
    let text =
      switch Int(failure.code) {
      case Int(CCURL_USE_SSL_FAILED): "the mail server does not offer STARTTLS"
      case Int(CCURL_LOGIN_DENIED): "the mail server offers no known way to sign in"
      default: failure.text
      }
    return CourierResult(.failed(.init(.unanswered, text)))
  }
}
