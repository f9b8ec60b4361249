import MartletSQLite

/// A request that fetches a value with several queries in one read transaction.
///
/// ```swift
/// struct Overview: FetchKeyRequest {
///   struct Value { var users: [User] = []; var posts = 0 }
///   func fetch(_ db: Connection) throws -> Value {
///     Value(users: try User.all.fetchAll(db), posts: try Post.all.fetchCount(db))
///   }
/// }
/// ```
///
/// Equal requests share one live query. `fetch` must have no side effects, and its value must
/// depend only on the request and the database. If the value is `Equatable`, an equal value is not
/// delivered again.
public protocol FetchKeyRequest<Value>: Hashable, Sendable {
  /// The type of the result.
  associatedtype Value: Sendable
  /// Fetches the value. Called in a read transaction, again after each commit that changes what it
  /// read.
  func fetch(_ db: Connection) throws -> Value
}
