import MartletQueryBuilder
import MartletStore

/// A query whose result is a Swift value, decoded once for all subscribers.
struct ValueSource<Value: Sendable>: Sendable {
  let work: LiveWork
}

extension ValueSource {
  /// A source of all rows.
  static func all<Element: Sendable>(
    _ statement: some MartletQueryBuilder.Statement<Element>
  ) -> ValueSource where Value == [Element] {
    rows(of: statement, limit: .max) { $0 }
  }

  /// A source of the first row. The result is absent if there is no row.
  static func first(_ statement: some MartletQueryBuilder.Statement<Value>) -> ValueSource {
    rows(of: statement, limit: 1, \.first)
  }

  /// A source of the first row, or `nil` if there is no row.
  static func optional<Wrapped: Sendable>(
    _ statement: some MartletQueryBuilder.Statement<Wrapped>
  ) -> ValueSource where Value == Wrapped? {
    rows(of: statement, limit: 1) { .some($0.first) }
  }

  /// A source whose results are compared by the stored bytes of their rows, not by the decoded
  /// values.
  private static func rows<Query: MartletQueryBuilder.Statement>(
    of statement: Query, limit: Int,
    _ value: @escaping @Sendable ([Query.Output]) -> Value?
  ) -> ValueSource {
    let query = statement.query
    let identity = StatementIdentity(
      value: ObjectIdentifier(Value.self), statement: ObjectIdentifier(Query.self),
      fragment: query.fragment, columns: query.columns)
    return ValueSource(
      work: LiveWork(
        name: query.fragment.prepare().sql, identity: LiveWork.Identity(identity)
      ) { db, stored, last in
        var rows: [Query.Output] = []
        try statement.fetch(db, limit: limit, stored: stored) { rows.append($0) }
        let etag = ETag(hashing: stored.bytes)
        if let last, last.etag == etag { return last }
        return value(rows).map { LiveResult($0, etag: etag) }
      })
  }

  /// A source of a request's value. Values are compared if they are `Equatable`.
  static func request<Request: FetchKeyRequest<Value>>(_ request: Request) -> ValueSource {
    ValueSource(
      work: LiveWork(
        name: typeName(Request.self), identity: LiveWork.Identity(request)
      ) { db, _, last in
        let value = try request.fetch(db)
        if let last, isEqual(last.value(as: Value.self), value) { return last }
        return LiveResult(value)
      })
  }

  private static func isEqual(_ old: Value, _ new: Value) -> Bool {
    func compare<Known: Equatable>(_ old: Known) -> Bool { old == new as? Known }
    guard let old = old as? any Equatable else { return false }
    return compare(old)
  }
}

/// Equal for the same statement with the same values and result columns, decoded as the same type.
private struct StatementIdentity: Hashable, Sendable {
  let value: ObjectIdentifier
  let statement: ObjectIdentifier
  let fragment: QueryFragment
  let columns: [ResultColumn]
}
