import MartletQueryBuilder
import MartletStore

/// All rows of a query, kept up to date.
///
/// ```swift
/// @FetchAll(User.order(by: \.name), connection: connection) var users
/// // SELECT … FROM "users" ORDER BY "users"."name"
/// ```
///
/// It is empty, or what it was declared with, until the rows are there. `$users` tells whether they are,
/// what went wrong, and takes other queries (``FetchState``). Equal queries are run once for all.
@propertyWrapper
public struct FetchAll<Element: Sendable>: Sendable {
  public let projectedValue: FetchState<[Element]>
  public var wrappedValue: [Element] { projectedValue.value }

  public init(
    wrappedValue: [Element] = [], _ statement: some MartletQueryBuilder.Statement<Element>,
    database: any ObservableDatabase
  ) {
    projectedValue = FetchState(wrappedValue, .all(statement), database)
  }
}

extension FetchState {
  /// Follows the rows of another query; returns when they are there.
  @discardableResult
  public func load<Element: Sendable>(
    _ statement: some MartletQueryBuilder.Statement<Element>
  ) async throws -> FetchSubscription where Value == [Element] { try await load(.all(statement)) }
}

extension ObservableDatabase {
  /// The rows of a query, now and after each commit that changes them. A failing query ends the sequence
  /// with its error; the end of the sequence ends the observation.
  ///
  /// ```swift
  /// for try await users in database.values(of: User.order(by: \.name)) { … }
  /// ```
  public func values<Element: Sendable>(
    of statement: some MartletQueryBuilder.Statement<Element>
  ) -> AsyncThrowingStream<[Element], any Error> { values(.all(statement)) }
}
