import MartletJSON
import MartletQueryBuilder
import MartletSQLite

/// One page of an ordered list, by keyset pagination: the rows after a position in the sort order.
///
/// A page consists of segments, which are read in order until the page is full. One segment
/// suffices if the order is a single index search. Rows whose sort key is NULL need a second one,
/// because comparing `(key, id)` with NULL either loses rows or scans the table.
public struct PageQuery: Sendable {
  /// Returns the query for at most `limit` rows of a segment.
  ///
  /// The query's last ``keyCount`` columns are hidden and contain the row's sort keys. Without sort
  /// keys there is no cursor, and the first page is the only one.
  public typealias Segment = @Sendable (_ limit: Int) -> Query

  /// The segments of the page, in order.
  public var segments: [Segment]
  /// The number of hidden sort keys at the end of each segment's columns.
  public var keyCount: Int
  /// The maximum number of rows on the page.
  public var limit: Int
  /// Identifies the list in cursors: ``PageCursor/fingerprint``.
  public var fingerprint: UInt64
  /// A query that counts the whole list; `nil` if the total is not requested.
  public var total: Query?

  /// Creates a page from segments whose last `keyCount` columns are hidden sort keys.
  public init(
    segments: [Segment], keyCount: Int, limit: Int, fingerprint: UInt64, total: Query? = nil
  ) {
    self.segments = segments
    self.keyCount = keyCount
    self.limit = limit
    self.fingerprint = fingerprint
    self.total = total
  }

  /// Creates a page with all rows of a query, or the first `most`. It has no sort keys, so there is
  /// no next page.
  public init(all query: Query, most: Int = .max - 1) {
    self.init(segments: [{ _ in query }], keyCount: 0, limit: most, fingerprint: 0)
  }
}

/// A ``PageQuery`` from which no cursor can be created.
public enum PageQueryError: Error, CustomStringConvertible {
  /// One of the last `count` columns of a segment is visible. Its value would be used as a sort
  /// key, and the next page would be wrong.
  case keysAreNotHidden(count: Int)
  /// The sort keys of a row are too long for a cursor, which is part of a request line.
  case keysAreTooLong(bytes: Int)
  /// A page has no sort keys.
  case hasNoKeys
  /// The query has a clause that would apply to each page and not to the list.
  case hasClause(String)

  public var description: String {
    switch self {
    case .keysAreNotHidden(let count):
      "the last \(count) columns of a page's query are its sort keys and must be hidden: use query(hiding: […])"
    case .keysAreTooLong(let bytes):
      "the sort keys of a page's last row make a cursor of \(bytes) bytes, at most \(PageCursor.longest): sort by a shorter column"
    case .hasNoKeys: "a page needs at least one sort key"
    case .hasClause(let clause):
      "the query of a page has its own \(clause), which would apply to each page: leave it out, or select from a subquery or view"
    }
  }
}

extension Connection {
  /// Appends `{"items":[…],"nextCursor":…}`, with `"total"` if the page has a ``PageQuery/total``
  /// query.
  public func writeJSON(_ page: PageQuery, into buffer: ByteBuffer) throws {
    _ = try writePage(page, into: buffer)
  }

  /// Appends the page as JSON and returns whether more rows follow it.
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
      let text = cursor.text
      guard text.utf8.count <= PageCursor.longest else {
        throw PageQueryError.keysAreTooLong(bytes: text.utf8.count)
      }
      JSONWriter.string(text, into: buffer)
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
