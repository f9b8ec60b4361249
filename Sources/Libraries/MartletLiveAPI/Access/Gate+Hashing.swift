import MartletHTTP
import MartletSQLite
import MartletStore

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

  /// A pairing code or a token, which a request shows in its body in place of a key.
  struct Guess {
    /// The reason of ``Event/refused(_:id:reason:)`` if it is wrong.
    let reason: String
    /// The answer if it is wrong, the same for all wrong ones.
    let refusal: APIProblem
  }

  /// Reads on another thread what a guess stands for, and calls `then` with it. A wrong guess is
  /// refused and counted as a failed authentication. Throws a 429 if there were too many.
  func find<T>(
    _ guess: Guess, of request: Request, _ loop: RequestContext, _ context: Context,
    _ find: @escaping @Sendable (Connection) throws -> T?,
    then: @escaping @Sendable (T, Responder) -> Void
  ) throws(APIProblem) -> Outcome {
    let attempt = try countGuess(request, loop)
    return later(request, context, attempt) { [self] responder in
      let found: T?
      do { found = try context.database.read(find) } catch {
        giveBack(attempt)
        throw error
      }
      guard let found else {
        reportGuess(request, guess.reason)
        throw guess.refusal
      }
      giveBack(attempt)
      then(found, responder)
    }
  }
}
