import MartletJSON
import MartletSQLite
import MartletStore

/// A page as a client receives it.
struct ReadPage {
  let items: [JSONValue]
  let next: String?
  let total: Int?

  var ids: [Int] { items.compactMap { $0.object?["id"]?.int64.map(Int.init) } }

  init(_ query: PageQuery, in db: Connection) throws {
    let buffer = ByteBuffer()
    try db.writeJSON(query, into: buffer)
    let object = try JSONValue.parse(String(decoding: buffer.bytes, as: UTF8.self)).object
    items = object?["items"]?.array ?? []
    next = object?["nextCursor"]?.string
    total = object?["total"]?.int64.map(Int.init)
  }
}
