import Foundation
import Synchronization
import TestSupport

/// The writes that a client has requested, and their responses.
///
/// A request without a response is open: it may have been applied or not.
struct WriteJournal: Sendable {
  /// A reminder whose creation was acknowledged.
  struct Entry: Sendable {
    /// The possible titles: the last acknowledged one, and that of an open request.
    var titles: Set<String>
    var mayExist = true
    var mustExist = true
  }

  private(set) var entries: [Int: Entry] = [:]
  /// The titles of creations without a response.
  private(set) var openTitles: Set<String> = []

  mutating func asksToCreate(_ title: String) { openTitles.insert(title) }

  mutating func created(_ id: Int, _ title: String) {
    openTitles.remove(title)
    entries[id] = Entry(titles: [title])
  }

  mutating func asksToRename(_ id: Int, _ title: String) { entries[id]?.titles.insert(title) }
  mutating func renamed(_ id: Int, _ title: String) { entries[id]?.titles = [title] }

  mutating func asksToDelete(_ id: Int) { entries[id]?.mustExist = false }
  mutating func deleted(_ id: Int) { entries[id]?.mayExist = false }

  /// The contradictions between the stored rows and the responses.
  func contradictions(_ rows: [Int: String]) -> [String] {
    var found: [String] = []
    for (id, entry) in entries.sorted(by: { $0.key < $1.key }) {
      if let title = rows[id] {
        if !entry.mayExist { found.append("\(id) was deleted, and is there") }
        if !entry.titles.contains(title) {
          found.append("\(id) is called \(title), expected \(entry.titles)")
        }
      } else if entry.mustExist {
        found.append("\(id) \(entry.titles) was acknowledged, and is gone")
      }
    }
    return found
  }
}

/// A client that creates, renames and deletes reminders without pause until the server is gone.
final class JournalingWriter: Sendable {
  private let journal = Mutex(WriteJournal())
  private let acknowledged: @Sendable () -> Void
  private let port: UInt16
  private let name: String
  private let seed: UInt64

  init(
    port: UInt16, name: String, seed: UInt64, acknowledged: @escaping @Sendable () -> Void
  ) {
    self.port = port
    self.name = name
    self.seed = seed
    self.acknowledged = acknowledged
  }

  var result: WriteJournal { journal.withLock { $0 } }

  /// Returns when the server no longer responds. The result lists unexpected statuses.
  func run() -> [String] {
    var random = SeededRandom(seed: seed)
    var living: [Int] = []
    var surprises: [String] = []
    do {
      let client = try RawClient(port: port)
      for count in 0... {
        let answer: RawResponse
        let expected: Int
        switch living.isEmpty ? 0 : Int.random(in: 0..<6, using: &random) {
        case 1:
          let id = living[Int.random(in: living.indices, using: &random)]
          let title = "\(name)-\(count)-renamed"
          journal.withLock { $0.asksToRename(id, title) }
          answer = try client.request(
            "PATCH", "/v1/reminders/\(id)", body: #"{"title":"\#(title)","tags":["\#(name)"]}"#)
          expected = 200
          if answer.status == 200 { journal.withLock { $0.renamed(id, title) } }
        case 2:
          let id = living.remove(at: Int.random(in: living.indices, using: &random))
          journal.withLock { $0.asksToDelete(id) }
          answer = try client.request("DELETE", "/v1/reminders/\(id)")
          expected = 204
          if answer.status == 204 { journal.withLock { $0.deleted(id) } }
        default:
          let title = "\(name)-\(count)"
          journal.withLock { $0.asksToCreate(title) }
          answer = try client.post(
            "/v1/reminders", #"{"listID":1,"title":"\#(title)","notes":"word \#(count)"}"#)
          expected = 201
          if answer.status == 201, let id = answer.id {
            journal.withLock { $0.created(id, title) }
            living.append(id)
          }
        }
        if answer.status != expected {
          surprises.append("\(answer.status) instead of \(expected): \(answer.text)")
        }
        acknowledged()
      }
    } catch {
      // The server was killed.
    }
    return surprises
  }
}
