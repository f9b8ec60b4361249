import MartletLiveQueries
import MartletSQLite
import MartletStore
import MartletTime

extension APIProblem {
  /// Whether an error is a limit that works as it should, and no fault.
  public static func isRefusal(_ error: any Error) -> Bool { of(error)?.type.isRefusal ?? false }

  /// What the client is told of an error from below. Nothing internal: the log has it, under the
  /// same instance. `nil` for what is no refusal but a fault.
  ///
  /// What it calls has other names: an overload that gives no optional would lose to this function,
  /// which would then call itself.
  static func of(_ error: any Error) -> APIProblem? {
    switch error {
    case let problem as APIProblem: problem
    case let error as WriteError: write(error)
    case let error as ReadError: read(error)
    case LiveQueryError.tooLargeTogether:
      APIProblem(
        .overloaded, "The results that are followed are too large together.", retryAfter: 5)
    case let error as SQLiteError: database(error)
    default: nil
    }
  }

  /// What the client is told when a row breaks a rule of the database's schema: 409 where another row stands against it,
  /// 422 where it can never be stored (https://sqlite.org/rescode.html#constraint). `nil` for other errors. A trigger's
  /// `RAISE` is told with its message.
  @Sendable public static func ofConstraint(_ error: any Error) -> APIProblem? {
    guard let error = error as? SQLiteError, error.isConstraint else { return nil }
    switch error.constraint {
    case .unique:
      return APIProblem(.conflict, "There is one like this already: \(error.message).")
    case .foreignKey:
      return APIProblem(
        .conflict, "It refers to something that is not there, or something else refers to it.")
    case .other: return APIProblem(.invalidBody, "The database refuses it: \(error.message).")
    }
  }

  private static func write(_ error: WriteError) -> APIProblem? {
    switch error {
    case .overloaded, .expired:
      APIProblem(.overloaded, "Too many writes are waiting. Nothing was done.", retryAfter: 1)
    case .overTime(let limit):
      APIProblem(
        .queryTimeout,
        "The change took longer than \(limit.wholeMilliseconds) ms. Nothing was done.",
        retryAfter: 5)
    case .crowdedOut(let time):
      APIProblem(
        .overloaded,
        "The change was interrupted after \(time.wholeMilliseconds) ms: others waited. Nothing was done.",
        retryAfter: 5)
    case .tooManyRows(let limit):
      APIProblem(
        .changeTooLarge, "The change touches more than \(limit) rows. Nothing was done.")
    case .busy:
      APIProblem(.overloaded, "Another program is writing to the database.", retryAfter: 2)
    case .storageFull:
      APIProblem(.storageFull, "There is no room left to store this. Nothing was changed.")
    case .outcomeUnknown:
      APIProblem(
        .outcomeUnknown,
        "The disk failed while this was saved. Whether it was is known after a restart.")
    case .stopped:
      APIProblem(.overloaded, "The server is stopping. Nothing was done.", retryAfter: 5)
    case .nested, .transactionEnded: nil
    }
  }

  private static func read(_ error: ReadError) -> APIProblem {
    switch error {
    case .overloaded, .expired:
      APIProblem(.overloaded, "Too many reads are waiting.", retryAfter: 1)
    case .tooLarge(let limit):
      APIProblem(
        .resultTooLarge,
        "The result is larger than \(limit) bytes. Ask for fewer rows at once: limit=…")
    case .overBudget: APIProblem(.queryTimeout, "The query took too long.", retryAfter: 5)
    }
  }

  private static func database(_ error: SQLiteError) -> APIProblem? {
    if error.isFull {
      return APIProblem(.storageFull, "There is no room left to store this. Nothing was changed.")
    }
    if error.isBusy {
      return APIProblem(
        .overloaded, "Another program is writing to the database.", retryAfter: 2)
    }
    return nil
  }
}
