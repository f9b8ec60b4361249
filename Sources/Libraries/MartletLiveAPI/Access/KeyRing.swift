import MartletLiveQueries
import MartletTime
import Synchronization

/// The valid keys and live sessions as of one commit.
final class KeyRing: Sendable {
  /// A key or live session. It caches the secret once it has been verified.
  final class Entry: Sendable {
    let row: APIKeys.Row
    let access: Access
    /// The secret is stored in clear text: an attacker who can read this memory can read the next
    /// request too.
    private let known = Mutex<Secret?>(nil)

    init(_ row: APIKeys.Row) {
      self.row = row
      access = Access(row.rights, keyID: row.keyID, isSession: row.kind == .session)
    }

    /// Compares with the cached secret; `nil` if no secret is cached, so that a hash is needed.
    func isRight(_ secret: Secret) -> Bool? { known.withLock { $0.map { $0 == secret } } }

    /// Verifies a secret. Takes half a millisecond if it is not cached.
    func proves(_ secret: Secret) -> Bool {
      if let isRight = isRight(secret) { return isRight }
      guard secret.matches(row.hash) else { return false }
      known.withLock { $0 = secret }
      return true
    }
  }

  /// Becomes stale when a commit may have changed the keys or sessions.
  let token: InvalidationToken
  /// When the next key or session expires.
  let nextEnd: Instant?
  /// The anonymous caller if there is no key and, as far as this process knows, never was one;
  /// otherwise `nil`.
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

  /// Reuses the entry of an unchanged row, with its streams and its cached secret.
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

  /// Ends the access of all callers that are not in `next`.
  func end(before next: KeyRing) {
    if next.everybody == nil { everybody?.end() }
    for (id, entry) in keys where next.keys[id] !== entry { entry.access.end() }
    for (id, entry) in sessions where next.sessions[id] !== entry { entry.access.end() }
  }
}
