import MartletLiveQueries
import MartletTime
import Synchronization

/// The keys and live sessions that are in force, as they were at one commit.
final class KeyRing: Sendable {
  /// One of them, which knows its secret once it was shown.
  final class Entry: Sendable {
    let row: APIKeys.Row
    let access: Access
    /// Kept as it is: whoever can read this memory can read the next request, too.
    private let known = Mutex<Secret?>(nil)

    init(_ row: APIKeys.Row) {
      self.row = row
      access = Access(row.rights, keyID: row.keyID, isSession: row.kind == .session)
    }

    /// `nil` where that takes a hash to find out.
    func isRight(_ secret: Secret) -> Bool? { known.withLock { $0.map { $0 == secret } } }

    /// Takes half a millisecond.
    func proves(_ secret: Secret) -> Bool {
      if let isRight = isRight(secret) { return isRight }
      guard secret.matches(row.hash) else { return false }
      known.withLock { $0 = secret }
      return true
    }
  }

  /// Turns stale when a commit may have changed them.
  let token: InvalidationToken
  /// The next instant at which one of them ceases to hold.
  let nextEnd: Instant?
  /// Everybody, where there is no key and never was one, as far as this process knows.
  let everybody: Access?
  private let keys: [Int: Entry]
  private let sessions: [Int: Entry]

  init(_ rows: [APIKeys.Row], hasKeys: Bool, _ token: InvalidationToken, after last: KeyRing?) {
    self.token = token
    nextEnd = rows.compactMap(\.expiresAt).min()
    if let last {
      everybody = hasKeys ? nil : last.everybody
    } else {
      everybody = hasKeys ? nil : Access(Rights(.admin), isEverybody: true)
    }
    var keys: [Int: Entry] = [:]
    var sessions: [Int: Entry] = [:]
    for row in rows {
      switch row.kind {
      case .key: keys[row.id] = KeyRing.entry(row, last?.keys[row.id])
      case .session: sessions[row.id] = KeyRing.entry(row, last?.sessions[row.id])
      }
    }
    self.keys = keys
    self.sessions = sessions
  }

  /// What has not changed goes on.
  private static func entry(_ row: APIKeys.Row, _ last: Entry?) -> Entry {
    if let last, last.row == row { return last }
    return Entry(row)
  }

  func entry(_ credential: Credential, at now: Instant) -> Entry? {
    let entry =
      switch credential.kind {
      case .key: keys[credential.id]
      case .session: sessions[credential.id]
      }
    guard let entry, entry.row.expiresAt.map({ $0 > now }) ?? true else { return nil }
    return entry
  }

  /// Ends what `next` does not have any more.
  func end(before next: KeyRing) {
    if next.everybody == nil { everybody?.end() }
    for (id, entry) in keys where next.keys[id] !== entry { entry.access.end() }
    for (id, entry) in sessions where next.sessions[id] !== entry { entry.access.end() }
  }
}
