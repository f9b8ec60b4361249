import MartletQueryBuilder
import MartletStore

/// The first row of a query, updated after each commit that changes it.
///
/// ```swift
/// @FetchOne(User.count, connection: connection) var userCount = 0
/// // SELECT count(*) FROM "users"
/// @FetchOne(User.find(id), connection: connection) var user: User?
/// // SELECT … FROM "users" WHERE ("users"."id" = 1)
/// ```
///
/// Without a row, an optional is `nil`; any other type keeps its value, and `$user.loadError` is
/// `NotFound`. The wrapper adds no `LIMIT` to the query; it reads only the first row.
@propertyWrapper
public struct FetchOne<Value: Sendable>: Sendable {
  /// The state of the query.
  public let projectedValue: FetchState<Value>
  /// The value that was fetched last.
  public var wrappedValue: Value { projectedValue.value }

  /// Fetches and follows the first row of a query. The value is `wrappedValue` until the first
  /// fetch succeeds.
  public init(
    wrappedValue: Value, _ statement: some MartletQueryBuilder.Statement<Value>,
    database: any ObservableDatabase
  ) {
    projectedValue = FetchState(wrappedValue, .first(statement), database)
  }

  /// Fetches and follows the first row of a query. The value is `nil` while there is no row.
  public init<Wrapped: Sendable>(
    wrappedValue: Value = nil, _ statement: some MartletQueryBuilder.Statement<Wrapped>,
    database: any ObservableDatabase
  ) where Value == Wrapped? {
    projectedValue = FetchState(wrappedValue, .optional(statement), database)
  }
}

extension FetchState {
  /// Follows the first row of another query. Returns when it has been fetched, and throws if that
  /// fails.
  @discardableResult
  public func load(
    _ statement: some MartletQueryBuilder.Statement<Value>
  ) async throws -> FetchSubscription { try await load(.first(statement)) }

  /// Follows the first row of another query, `nil` if there is no row. Returns when it has been
  /// fetched, and throws if that fails.
  @discardableResult
  public func load<Wrapped: Sendable>(
    _ statement: some MartletQueryBuilder.Statement<Wrapped>
  ) async throws -> FetchSubscription where Value == Wrapped? {
    try await load(.optional(statement))
  }
}

extension ObservableDatabase {
  /// The first row of a query, now and after each commit that changes it; `nil` while there is no
  /// row.
  ///
  /// ```swift
  /// for try await user in database.values(ofFirst: User.find(id)) { … }
  /// ```
  public func values<Row: Sendable>(
    ofFirst statement: some MartletQueryBuilder.Statement<Row>
  ) -> AsyncThrowingStream<Row?, any Error> { values(.optional(statement)) }
}
