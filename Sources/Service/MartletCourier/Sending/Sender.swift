import CMartletCurl
import MartletTime

/// Sends one request after the other with one handle of libcurl.
///
/// Each request has a connection of its own. The handle keeps only the read certificates.
final class Sender {
  private let settings: CourierSettings
  private let handle: UnsafeMutableRawPointer?

  init(_ settings: CourierSettings) {
    self.settings = settings
    handle = ccurl_new()
  }

  func send(_ request: CourierRequest) -> CourierResult {
    let begin = Clock.system.monotonic()
    var result = attempt(request)
    result.duration = .nanoseconds(Int64(Clock.system.monotonic() - begin))
    return result
  }

  private func attempt(_ request: CourierRequest) -> CourierResult {
    let destination: Destination
    do {
      destination = try Destination(request.url)
    } catch {
      return CourierResult(.failed(.init(.refused, "the URL \(error)")))
    }
    guard let handle else {
      return CourierResult(.failed(.init(.courier, "libcurl has no memory")))
    }
    guard let fields = fields(request) else {
      return CourierResult(.failed(.init(.courier, "the message cannot be signed")))
    }
    let gate = Gate(settings.rules, destination)
    let answer = Answer(bodyLimit: settings.bodyLimit, headerLimit: settings.headerLimit)
    let transfer = Transfer(handle)
    return withExtendedLifetime((gate, answer)) {
      if let problem = transfer.prepare(request, fields, settings) {
        return CourierResult(.failed(.init(.courier, problem)))
      }
      let body = request.method == .get ? nil : request.body
      return result(of: transfer.perform(body, gate, answer), gate, answer)
    }
  }

  /// The header fields, with the signatures of this moment.
  private func fields(_ request: CourierRequest) -> [CourierRequest.Field]? {
    guard let message = request.messageID else { return request.fields }
    let signature = WebhookSignature.fields(
      message: message, seconds: Clock.system.now().milliseconds / 1000, body: request.body,
      secrets: request.secrets, hmac: Libraries.hmac)
    return signature.map { request.fields + $0 }
  }

  /// - Parameter error: The error of the transfer, or `nil`.
  private func result(of error: String?, _ gate: Gate, _ answer: Answer) -> CourierResult {
    // The status decides, also if the body never ends or is cut off.
    if let status = answer.status {
      let wait = answer.retryAfter.flatMap { RetryAfter.parse($0, now: Clock.system.now()) }
      return CourierResult(.answered(status: status), retryAfter: wait)
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
