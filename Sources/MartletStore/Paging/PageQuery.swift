import MartletJSON
import MartletQueryBuilder
import MartletSQLite

/// One page of an ordered list, by keyset: the rows after a place in the order.
///
/// A page is made of segments that are read one after the other until it is full. One is enough where
/// the order is one index search; rows without a sort key come in a second one, because a comparison of
/// `(key, id)` with a NULL in it loses rows or scans.
public struct PageQuery: Sendable {
  /// The rows of a segment, at most as many as asked for. Its query's last columns are ``keyCount``
  /// hidden ones: the row's sort keys. Without any there is no cursor, and no page but the first.
  public typealias Segment = @Sendable (_ limit: Int) -> Query

  public var segments: [Segment]
  public var keyCount: Int
  public var limit: Int
  /// Identifies the list that this is a page of, in cursors.
  public var fingerprint: UInt64
  /// Counts the whole list, where asked for.
  public var total: Query?

  public init(
    segments: [Segment], keyCount: Int, limit: Int, fingerprint: UInt64, total: Query? = nil
  ) {
    self.segments = segments
    self.keyCount = keyCount
    self.limit = limit
    self.fingerprint = fingerprint
    self.total = total
  }

  /// All rows of a query, or the first `most` of them: without sort keys there is no next page.
  public init(all query: Query, most: Int = .max - 1) {
    self.init(segments: [{ _ in query }], keyCount: 0, limit: most, fingerprint: 0)
  }
}

/// A ``PageQuery`` that makes no cursor.
public enum PageQueryError: Error, CustomStringConvertible {
  /// A segment's last columns are shown: their values would be taken for sort keys, and the next page be wrong.
  case keysAreNotHidden(count: Int)

  public var description: String {
    switch self {
    case .keysAreNotHidden(let count):
      "the last \(count) columns of a page's query are its sort keys and have to be hidden: query(hiding: […])"
    }
  }
}

extension Connection {
  /// Appends `{"items":[…],"nextCursor":…}`, with `"total"` where it was asked for.
  public func writeJSON(_ page: PageQuery, into buffer: ByteBuffer) throws {
    _ = try writePage(page, into: buffer)
  }

  /// The same; gives whether there are further rows.
  package func writePage(_ page: PageQuery, into buffer: ByteBuffer) throws -> Bool {
    buffer.append("{\"items\":[")
    var remaining = page.limit
    var cursor: PageCursor?
    var hasMore = false
    for segment in page.segments {
      let start = buffer.count
      let count = try writeSegment(
        segment(remaining + 1), keyCount: page.keyCount, limit: remaining,
        separated: remaining < page.limit, into: buffer, hasMore: &hasMore
      ) { statement in
        let first = statement.columnCount - page.keyCount
        cursor = PageCursor(
          fingerprint: page.fingerprint,
          keys: (first..<statement.columnCount).map { statement.value(at: $0) })
      }
      if count == 0 { buffer.truncate(to: start) }
      remaining -= count
      if hasMore { break }
    }
    buffer.append("],\"nextCursor\":")
    if hasMore, page.keyCount > 0, let cursor {
      JSONWriter.string(cursor.text, into: buffer)
    } else {
      buffer.append("null")
    }
    if let total = page.total {
      buffer.append(",\"total\":")
      let statement = try statement(for: total)
      defer { statement.reset() }
      buffer.append(decimal: try statement.step() ? Int(statement.int64(at: 0)) : 0)
    }
    buffer.append(UInt8(ascii: "}"))
    return hasMore
  }

  private func writeSegment(
    _ query: Query, keyCount: Int, limit: Int, separated: Bool, into buffer: ByteBuffer,
    hasMore: inout Bool,
    last: (PreparedStatement) -> Void
  ) throws -> Int {
    guard query.columns.suffix(keyCount).count(where: { $0.kind == .hidden }) == keyCount else {
      throw PageQueryError.keysAreNotHidden(count: keyCount)
    }
    let statement = try statement(for: query)
    defer { statement.reset() }
    let rows = JSONRows.of(query)
    var count = 0
    while try statement.step() {
      if count == limit {
        hasMore = true
        break
      }
      if separated || count > 0 { buffer.append(UInt8(ascii: ",")) }
      rows.write(statement, into: buffer)
      try rowGuard?.row(bytes: buffer.count)
      count += 1
      if count == limit { last(statement) }
    }
    return count
  }
}
