import MartletQueryBuilder
import MartletStore

// The property wrappers with the database under its parameter's other name.

extension Fetch {
  /// As the form with `database:`.
  public init(
    wrappedValue: Value, _ request: some FetchKeyRequest<Value>, connection: any ObservableDatabase
  ) {
    self.init(wrappedValue: wrappedValue, request, database: connection)
  }
}

extension FetchAll {
  /// As the form with `database:`.
  public init(
    wrappedValue: [Element] = [], _ statement: some MartletQueryBuilder.Statement<Element>,
    connection: any ObservableDatabase
  ) {
    self.init(wrappedValue: wrappedValue, statement, database: connection)
  }
}

extension FetchOne {
  /// As the form with `database:`.
  public init(
    wrappedValue: Value, _ statement: some MartletQueryBuilder.Statement<Value>,
    connection: any ObservableDatabase
  ) {
    self.init(wrappedValue: wrappedValue, statement, database: connection)
  }

  /// As the form with `database:`.
  public init<Wrapped: Sendable>(
    wrappedValue: Value = nil, _ statement: some MartletQueryBuilder.Statement<Wrapped>,
    connection: any ObservableDatabase
  ) where Value == Wrapped? {
    self.init(wrappedValue: wrappedValue, statement, database: connection)
  }
}
