import MartletQueryBuilder
import MartletSQLite
import MartletStore

/// The queries of API keys, as the routes return them.
struct KeyQueries: Sendable {
  /// The name of the member that lists the parts of the data; `nil` leaves it out.
  let parts: StaticString?

  /// Ties cursors to this collection: the bytes of `keys`.
  private static let fingerprint: UInt64 = 0x6B65_7973

  func item(_ id: Int) -> Query {
    query("WHERE id = \(bind: id)")
  }

  /// A page of keys by ID, including expired and revoked ones. Throws an ``APIProblem`` if the
  /// cursor belongs to another collection.
  func page(limit: Int, after cursor: PageCursor?) throws(APIProblem) -> PageQuery {
    var last: Int64 = 0
    if let cursor {
      guard cursor.fingerprint == Self.fingerprint, cursor.keys.count == 1,
        let id = cursor.keys[0].integer
      else { throw APIProblem(.invalidCursor, "The cursor was issued for another collection.") }
      last = id
    }
    return PageQuery(
      segments: [
        { [last] limit in
          query("WHERE id > \(bind: Int(last)) ORDER BY id LIMIT \(bind: limit)", isPage: true)
        }
      ],
      keyCount: 1, limit: limit, fingerprint: Self.fingerprint)
  }

  private func query(_ rest: QueryFragment, isPage: Bool = false) -> Query {
    var columns: [(sql: QueryFragment, column: ResultColumn)] = [
      ("id", ResultColumn("id", kind: .integer)),
      ("name", ResultColumn("name", kind: .text)),
      ("scope", ResultColumn("scope", kind: .text)),
    ]
    if let parts {
      columns.append(
        (
          """
          CASE WHEN isLimited THEN (SELECT json_group_array(part) FROM \
          (SELECT part FROM apiKeyParts WHERE keyID = apiKeys.id ORDER BY part)) END
          """, ResultColumn("\(parts)", kind: .json)
        ))
    }
    columns.append(
      (
        "(SELECT pairedBy FROM pairedKeys WHERE keyID = apiKeys.id)",
        ResultColumn("pairedBy", kind: .integer)
      ))
    for name in ["createdAt", "expiresAt", "revokedAt"] {
      columns.append((Self.instant("\(raw: name)"), ResultColumn(name, kind: .instant)))
    }
    if isPage { columns.append(("id", ResultColumn("", kind: .hidden))) }
    return Query(
      "SELECT \(columns.map(\.sql).joined(", ")) FROM apiKeys \(rest)",
      columns: columns.map(\.column))
  }

  /// Milliseconds since 1970 as the text of an instant.
  private static func instant(_ column: QueryFragment) -> QueryFragment {
    """
    strftime('%Y-%m-%d %H:%M:%S', \(column) / 1000, 'unixepoch') || printf('.%03d', \(column) % 1000)
    """
  }
}
