import Synchronization

/// Answers one request later, from any thread, once. When the last reference goes without an
/// answer, the client gets 500.
public final class Responder: Sendable {
  private let mailbox: Mailbox
  private let connection: ConnectionID
  private let isAnswered = Atomic(false)

  init(mailbox: Mailbox, connection: ConnectionID) {
    self.mailbox = mailbox
    self.connection = connection
  }

  deinit {
    answer(.respond(Problem(.noAnswer).response()))
  }

  /// Sends the answer. A second one is ignored. A connection that is gone by then drops it.
  /// ``Response/Body/scratch`` means nothing here and is sent as an empty body.
  public func respond(_ response: Response) {
    var response = response
    if case .scratch = response.body { response.body = .none }
    answer(.respond(response))
  }

  /// Starts an event stream as the answer.
  public func stream(_ stream: StreamResponse) { answer(.stream(stream)) }

  private func answer(_ outcome: Outcome) {
    guard !isAnswered.exchange(true, ordering: .acquiringAndReleasing) else { return }
    mailbox.post(.answer(connection, outcome))
  }
}
