import Dispatch
import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletSQLite
import MartletStore
import Synchronization
import TestSupport

/// The notes of a ``NotesService`` as a feed in the order of their IDs, at `/changes`.
final class NoteFeed: Sendable {
  static let expired = ProblemType("feed-expired", .gone, "Feed expired")

  /// The tokens that pages were read after.
  private let read = Mutex<[String?]>([])
  private let hook = Callback<String?, any Error>()
  /// How often the head was read.
  let heads = Atomic(0)
  /// Tokens below it are expired.
  let horizon = Atomic(0)
  private let limit: Int
  private let showsOnlyEven: Bool
  private let padding: String

  /// Pages look at `limit` notes. `padding` is the number of bytes that each page has besides.
  init(limit: Int = 3, showsOnlyEven: Bool = false, padding: Int = 0) {
    self.limit = limit
    self.showsOnlyEven = showsOnlyEven
    self.padding = String(repeating: "x", count: padding)
  }

  var tokens: [String?] { read.withLock { $0 } }

  /// Lets each page wait when its rows have been read: it signals `arrived`, and waits for `go`.
  func holdReads() -> (arrived: DispatchSemaphore, go: DispatchSemaphore) {
    let (arrived, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    onRead { _ in
      arrived.signal()
      go.wait()
    }
    return (arrived, go)
  }

  /// Called on the thread of each page when its rows have been read.
  func onRead(_ body: (@Sendable (_ token: String?) throws -> Void)?) {
    hook.set(body)
  }

  var route: Route {
    .feed("/changes", audience: .everyone) { request, _ in
      FeedSource(request) { [self] db, body in
        body.append(decimal: Int(try db.value("SELECT max(id) FROM notes")?.integer ?? 0))
        heads.add(1, ordering: .sequentiallyConsistent)
      } page: { [self] token, db, body in
        try page(token, db, body)
      }
    }
  }

  private func page(_ token: String?, _ db: Connection, _ body: ByteBuffer) throws -> FeedPage {
    read.withLock { $0.append(token) }
    guard let start = Int(token ?? "0") else {
      throw APIProblem(.invalidParameter, "Not a token.")
    }
    guard start >= horizon.load(ordering: .sequentiallyConsistent) else {
      throw APIProblem(NoteFeed.expired, "The entries after this token are deleted.")
    }
    let rows = try db.rows(
      "SELECT id, title FROM notes WHERE id > ? ORDER BY id LIMIT ?", .integer(Int64(start)),
      .integer(Int64(limit)))
    try hook(token)
    let shown = rows.filter { !showsOnlyEven || ($0[0].integer ?? 0).isMultiple(of: 2) }
    let next = String(rows.last?[0].integer ?? Int64(start))
    JSONWriter.object(into: body) { object in
      object.member("entries") { body in
        JSONWriter.array(into: body) { array in
          for row in shown {
            array.element { body in
              JSONWriter.object(into: body) { entry in
                entry.member("id", row[0].integer ?? 0)
                entry.member("title", row[1].text ?? "")
              }
            }
          }
        }
      }
      object.member("next", next)
      if !padding.isEmpty { object.member("padding", padding) }
    }
    return FeedPage(next: next, isEmpty: shown.isEmpty, hasMore: rows.count == limit)
  }
}

extension StreamEvent {
  /// The IDs of the notes of a page.
  var entries: [Int] {
    (json["entries"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? Int }
  }
}

extension NotesService {
  /// Adds notes in one commit.
  func add(_ count: Int = 1) throws {
    try database.write { db in
      for _ in 0..<count { try db.run("INSERT INTO notes (title) VALUES ('a')") }
    }
  }
}
