import MartletLiveQueries
import MartletSQLite
import MartletStore
import MartletTime

extension APIProblem {
  /// Whether an error means that a limit was reached, as opposed to a fault of the server.
  public static func isRefusal(_ error: any Error) -> Bool { of(error)?.type.isRefusal ?? false }

  /// The problem that a client receives for an error of the store, the database or the live
  /// queries. Returns `nil` for a fault, whose details only the log gets.
  ///
  /// The functions it calls have different names on purpose: an overload with a non-optional result
  /// would lose to this function, which would then call itself.
  static func of(_ error: any Error) -> APIProblem? {
    switch error {
    case let problem as APIProblem: problem
    case let error as WriteError: write(error)
    case let error as ReadError: read(error)
    case LiveQueryError.tooLargeTogether:
      APIProblem(
        .overloaded,
        "The results of the live queries are too large, in all or for this client. Try again in 5 s.",
        retryAfter: 5)
    case let error as SQLiteError: database(error)
    default: nil
    }
  }

  /// The problem for a violated constraint of the database's schema; `nil` for any other error.
  ///
  /// The status is 409 if another row is in the way (a unique or foreign key constraint) and 422 if
  /// the row could never be stored (https://sqlite.org/rescode.html#constraint). The message of a
  /// trigger's `RAISE` is included.
  @Sendable public static func ofConstraint(_ error: any Error) -> APIProblem? {
    guard let error = error as? SQLiteError, error.isConstraint else { return nil }
    switch error.constraint {
    case .unique:
      return APIProblem(.conflict, "A row with these values already exists: \(error.message).")
    case .foreignKey:
      return APIProblem(
        .conflict, "A row refers to one that does not exist, or other rows still refer to this one."
      )
    case .other:
      return APIProblem(.invalidBody, "The database rejected the change: \(error.message).")
    }
  }

  private static func write(_ error: WriteError) -> APIProblem? {
    switch error {
    case .overloaded, .expired:
      APIProblem(
        .overloaded, "Too many writes are waiting. Nothing was done. Try again in 1 s.",
        retryAfter: 1)
    case .overTime(let limit):
      APIProblem(
        .queryTimeout,
        "The change took longer than \(limit.wholeMilliseconds) ms. Nothing was done. Send less in one request.",
        retryAfter: 5)
    case .crowdedOut(let time, let again):
      crowdedOut(after: time, again: max(5, (again.wholeMilliseconds + 999) / 1_000))
    case .tooManyRows(let limit):
      APIProblem(
        .changeTooLarge,
        "The change would modify more than \(limit) rows. Nothing was done. Send less in one request."
      )
    case .busy:
      APIProblem(
        .overloaded, "Another program has locked the database. Nothing was done. Try again in 2 s.",
        retryAfter: 2)
    case .storageFull:
      APIProblem(
        .storageFull,
        "The server's disk is full. Nothing was changed. Try again when an operator has freed space."
      )
    case .outcomeUnknown:
      APIProblem(
        .outcomeUnknown,
        "The disk failed while the change was being saved. Once the server is back, check whether it was stored."
      )
    case .stopped:
      APIProblem(
        .overloaded, "The server is shutting down. Nothing was done. Try again in 5 s.",
        retryAfter: 5)
    case .notPrimary:
      APIProblem(
        .overloaded,
        "Another server of the cluster accepts changes. Nothing was done. Try again in 1 s.",
        retryAfter: 1)
    case .tooLarge(let limit):
      APIProblem(
        .changeTooLarge,
        "What the change does needs more than \(limit) bytes. Nothing was done. Send less in one request."
      )
    case .undecided:
      APIProblem(
        .outcomeUnknown,
        "The servers of the cluster could not agree. Check whether the change was stored."
      )
    case .nested, .transactionEnded: nil
    }
  }

  private static func crowdedOut(after time: Duration, again seconds: Int) -> APIProblem {
    APIProblem(
      .overloaded,
      """
      The change was interrupted after \(time.wholeMilliseconds) ms because other writes were \
      waiting. Nothing was done. Send less in one request, or try again in \(seconds) s.
      """,
      retryAfter: seconds)
  }

  private static func read(_ error: ReadError) -> APIProblem {
    switch error {
    case .overloaded, .expired:
      APIProblem(.overloaded, "Too many reads are waiting. Try again in 1 s.", retryAfter: 1)
    case .tooLarge(let limit):
      APIProblem(
        .resultTooLarge,
        "The result is larger than \(limit) bytes. Request fewer rows at once, for example with limit=…"
      )
    case .overBudget:
      APIProblem(
        .queryTimeout,
        "The query took too long and was interrupted. Narrow it: filters, a smaller limit.",
        retryAfter: 5)
    }
  }

  private static func database(_ error: SQLiteError) -> APIProblem? {
    if error.isFull {
      return APIProblem(
        .storageFull,
        "The server's disk is full. Nothing was changed. Try again when an operator has freed space."
      )
    }
    if error.isBusy {
      return APIProblem(
        .overloaded, "Another program has locked the database. Nothing was done. Try again in 2 s.",
        retryAfter: 2)
    }
    return nil
  }
}
