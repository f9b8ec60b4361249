import MartletQueryBuilder
import MartletStore

/// All rows of a query, updated after each commit that changes them.
///
/// ```swift
/// @FetchAll(User.order(by: \.name), connection: connection) var users
/// // SELECT … FROM "users" ORDER BY "users"."name"
/// ```
///
/// The array is empty, or the declared default, until the rows have been fetched. `$users` is a
/// ``FetchState`` with the loading state, the last error and methods that load another query. Equal
/// queries share one live query.
@propertyWrapper
public struct FetchAll<Element: Sendable>: Sendable {
  /// The state of the query.
  public let projectedValue: FetchState<[Element]>
  /// The rows that were fetched last.
  public var wrappedValue: [Element] { projectedValue.value }

  /// Fetches and follows the rows of a query. The array is `wrappedValue` until the first fetch
  /// succeeds.
  public init(
    wrappedValue: [Element] = [], _ statement: some MartletQueryBuilder.Statement<Element>,
    database: any ObservableDatabase
  ) {
    projectedValue = FetchState(wrappedValue, .all(statement), database)
  }
}

extension FetchState {
  /// Follows another query from now on. Returns when its rows have been fetched, and throws if that
  /// fails.
  @discardableResult
  public func load<Element: Sendable>(
    _ statement: some MartletQueryBuilder.Statement<Element>
  ) async throws -> FetchSubscription where Value == [Element] { try await load(.all(statement)) }
}

extension ObservableDatabase {
  /// The rows of a query, now and after each commit that changes them.
  ///
  /// A failing query ends the sequence with its error. Ending the iteration ends the observation.
  ///
  /// ```swift
  /// for try await users in database.values(of: User.order(by: \.name)) { … }
  /// ```
  public func values<Element: Sendable>(
    of statement: some MartletQueryBuilder.Statement<Element>
  ) -> AsyncThrowingStream<[Element], any Error> { values(.all(statement)) }
}
