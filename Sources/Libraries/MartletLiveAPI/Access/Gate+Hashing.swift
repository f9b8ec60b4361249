import MartletHTTP

extension Gate {
  /// Answers a request for which a hash is computed: that is too slow for the event loop and for
  /// the writer. `body` runs on another thread. If too many wait for one, the response is a 503,
  /// and `attempt` is not counted as a guess.
  func later(
    _ request: Request, _ context: Context, _ attempt: Attempt? = nil,
    _ body: @escaping @Sendable (Responder) throws -> Void
  ) -> Outcome {
    .later { [self] responder in
      let isTaken = verifier.run {
        do { try body(responder) } catch {
          responder.respond(context.answer(error, to: request))
        }
      }
      guard !isTaken else { return }
      if let attempt { giveBack(attempt) }
      responder.respond(context.answer(Gate.overloaded, to: request))
    }
  }
}
