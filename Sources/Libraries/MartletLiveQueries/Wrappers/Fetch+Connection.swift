import MartletQueryBuilder
import MartletStore

// The initializers of the property wrappers with the parameter name `connection:`.

extension Fetch {
  /// Same as the initializer with `database:`.
  public init(
    wrappedValue: Value, _ request: some FetchKeyRequest<Value>, connection: any ObservableDatabase
  ) {
    self.init(wrappedValue: wrappedValue, request, database: connection)
  }
}

extension FetchAll {
  /// Same as the initializer with `database:`.
  public init(
    wrappedValue: [Element] = [], _ statement: some MartletQueryBuilder.Statement<Element>,
    connection: any ObservableDatabase
  ) {
    self.init(wrappedValue: wrappedValue, statement, database: connection)
  }
}

extension FetchOne {
  /// Same as the initializer with `database:`.
  public init(
    wrappedValue: Value, _ statement: some MartletQueryBuilder.Statement<Value>,
    connection: any ObservableDatabase
  ) {
    self.init(wrappedValue: wrappedValue, statement, database: connection)
  }

  /// Same as the initializer with `database:`.
  public init<Wrapped: Sendable>(
    wrappedValue: Value = nil, _ statement: some MartletQueryBuilder.Statement<Wrapped>,
    connection: any ObservableDatabase
  ) where Value == Wrapped? {
    self.init(wrappedValue: wrappedValue, statement, database: connection)
  }
}
