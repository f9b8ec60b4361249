import MartletSQLite

/// Several queries whose results belong together. All of them are run in one read transaction.
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
/// Equal requests are fetched once for all who follow them. `fetch` has no effect outside, and gives a
/// value that depends on nothing but the request and the database. Where the value is `Equatable`, an
/// equal one is not told again.
public protocol FetchKeyRequest<Value>: Hashable, Sendable {
  associatedtype Value: Sendable
  func fetch(_ db: Connection) throws -> Value
}
