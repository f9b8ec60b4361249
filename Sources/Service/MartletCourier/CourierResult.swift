/// The result of a request.
public struct CourierResult: Hashable, Sendable {
  /// The outcome of a request.
  public enum Outcome: Hashable, Sendable {
    /// The other server answered with this status, whatever it means.
    case answered(status: Int)
    /// There is no answer.
    case failed(Failure)
  }

  /// Why there is no answer.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Whose fault it is.
    public enum Kind: String, CaseIterable, Sendable {
      /// The request was not sent, because the rules forbid its destination or it is invalid.
      /// Trying again does not help.
      case refused
      /// The other server was not reached, or did not answer in time.
      case unanswered
      /// The courier itself failed: its process ended, is overloaded, stopped or lacks a library.
      case courier
    }

    /// Whose fault it is.
    public let kind: Kind
    /// One sentence in plain ASCII, without secrets and without the URL's path.
    public let text: String

    /// Makes a failure. Only the first 300 characters of the text count, and bytes outside ASCII
    /// become `?`: parts of it come from libcurl, and so from strangers.
    init(_ kind: Kind, _ text: String) {
      self.kind = kind
      self.text = String(
        decoding: text.utf8.prefix(300).map { (0x20...0x7e).contains($0) ? $0 : 0x3f },
        as: UTF8.self)
    }

    /// Makes a failure of the courier itself.
    public init(_ text: String) { self.init(.courier, text) }

    public var description: String { text }
  }

  /// The outcome.
  public var outcome: Outcome
  /// How long to wait before the next attempt, from `Retry-After` or because the courier's process
  /// has failed repeatedly. At most a day.
  public var retryAfter: Duration?
  /// The reason of a push service for its status; `nil` for other servers.
  public var reason: PushReason?
  /// How far the clock of a push service is ahead of this machine's; negative if it is behind, and
  /// `nil` up to five minutes.
  public var clockDifference: Duration?
  /// The time that the attempt took.
  public var duration: Duration

  init(_ outcome: Outcome, retryAfter: Duration? = nil, duration: Duration = .zero) {
    self.outcome = outcome
    self.retryAfter = retryAfter
    self.duration = duration
  }

  /// Whether the other server answered with a status from 200 to 299.
  public var isSuccess: Bool {
    if case .answered(200...299) = outcome { true } else { false }
  }
}
