import MartletQueryBuilder
import MartletStore

/// The first row of a query, kept up to date.
///
/// ```swift
/// @FetchOne(User.count, connection: connection) var userCount = 0
/// // SELECT count(*) FROM "users"
/// @FetchOne(User.find(id), connection: connection) var user: User?
/// // SELECT … FROM "users" WHERE ("users"."id" = 1)
/// ```
///
/// Where there is no row, an optional is `nil`; any other keeps its value, and `$user.loadError` is
/// ``NotFound``. The query is not limited by this: only its first row is read.
@propertyWrapper
public struct FetchOne<Value: Sendable>: Sendable {
  public let projectedValue: FetchState<Value>
  public var wrappedValue: Value { projectedValue.value }

  public init(
    wrappedValue: Value, _ statement: some MartletQueryBuilder.Statement<Value>,
    database: any ObservableDatabase
  ) {
    projectedValue = FetchState(wrappedValue, .first(statement), database)
  }

  public init<Wrapped: Sendable>(
    wrappedValue: Value = nil, _ statement: some MartletQueryBuilder.Statement<Wrapped>,
    database: any ObservableDatabase
  ) where Value == Wrapped? {
    projectedValue = FetchState(wrappedValue, .optional(statement), database)
  }
}

extension FetchState {
  /// Follows the first row of another query; returns when it is there.
  @discardableResult
  public func load(
    _ statement: some MartletQueryBuilder.Statement<Value>
  ) async throws -> FetchSubscription { try await load(.first(statement)) }

  /// Follows the first row of another query, `nil` where there is none; returns when that is known.
  @discardableResult
  public func load<Wrapped: Sendable>(
    _ statement: some MartletQueryBuilder.Statement<Wrapped>
  ) async throws -> FetchSubscription where Value == Wrapped? {
    try await load(.optional(statement))
  }
}

extension ObservableDatabase {
  /// The first row of a query, now and after each commit that changes it; `nil` while there is none.
  ///
  /// ```swift
  /// for try await user in database.values(ofFirst: User.find(id)) { … }
  /// ```
  public func values<Row: Sendable>(
    ofFirst statement: some MartletQueryBuilder.Statement<Row>
  ) -> AsyncThrowingStream<Row?, any Error> { values(.optional(statement)) }
}
