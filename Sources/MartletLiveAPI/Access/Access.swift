import MartletHTTP
import MartletSQLite
import MartletTime
import Synchronization

/// Who asks, and what they may do: one for each key that is in force, and one for each live session.
public final class Access: Sendable {
  /// Tells this caller from every other one of this process.
  let id: UInt64
  public let rights: Rights
  /// The key that was shown, or that the session belongs to; `nil` where there are no keys.
  public let keyID: Int?
  /// Whoever asks as long as there was never a key.
  private let isEverybody: Bool
  /// A live session's: for event streams alone.
  let isSession: Bool
  /// The event streams that it has opened.
  private let streams = Broadcast()
  private let ended = Atomic(false)

  init(
    _ rights: Rights, keyID: Int? = nil, isSession: Bool = false, isEverybody: Bool = false
  ) {
    id = Access.lastID.add(1, ordering: .relaxed).newValue
    self.rights = rights
    self.keyID = keyID
    self.isSession = isSession
    self.isEverybody = isEverybody
  }

  private static let lastID = Atomic<UInt64>(0)

  /// Where keys are unknown.
  static let everything = Access(Rights(.admin))
  /// What nobody has let in.
  static let nothing = Access(Rights(.read, parts: []))

  /// Whether the key was revoked, was changed or has expired, or the session has.
  var isEnded: Bool { ended.load(ordering: .acquiring) }

  /// Its streams are told.
  func end() {
    ended.store(true, ordering: .releasing)
    streams.wake()
  }

  /// On the stream's loop.
  func join(_ stream: EventStream) { streams.join(stream) }

  /// Throws a 401 where the key was revoked or has expired since the request came: for long work.
  func checkEnd() throws(APIProblem) {
    if isEnded { throw .unauthorized("The key does not hold any more.", .invalid) }
  }

  /// Throws a 401 where the key does not hold any more: asked in the transaction of a write, which may have waited,
  /// so that none is done after the key was revoked. A 503 where it holds with other rights, which its next request
  /// has: a key whose list was deleted is none that a client should forget.
  func check(at now: Instant, in db: Connection) throws {
    if let keyID {
      guard try APIKeys.isInForce(keyID, at: now, in: db) else {
        throw APIProblem.unauthorized("The key does not hold any more.", .invalid)
      }
      if isEnded, try APIKeys.find(keyID, in: db)?.rights != rights {
        throw APIProblem(
          .overloaded, "The key's rights were changed meanwhile. Nothing was done.", retryAfter: 1)
      }
    } else {
      try checkEnd()
    }
    if isEverybody, try APIKeys.exist(in: db) {
      throw APIProblem.unauthorized(
        "Authentication is now required. Send Authorization: Bearer mk_…", .missing)
    }
  }

  /// Throws a 403 where a route is not for such a caller.
  func check(_ need: Need) throws(APIProblem) {
    guard !isSession || need.isLive else {
      throw .forbidden("A live session is for event streams alone.", needs: need.scope)
    }
    guard rights.scope >= need.scope else {
      throw .forbidden(
        "This needs the scope \(need.scope.rawValue); the key has \(rights.scope.rawValue).",
        needs: need.scope)
    }
    guard rights.parts == nil || need.parts == .respected else {
      throw .forbidden(
        "This is not for a key that is limited to parts of the data.", needs: need.scope)
    }
  }
}

extension Request {
  /// Who asks. Where nobody has looked, somebody who may see nothing.
  public var access: Access { caller as? Access ?? .nothing }

  /// Whom the request's work is counted for, where several wait: its key, or without keys its client's address.
  var clientNumber: Int {
    var hasher = Hasher()
    if let key = access.keyID { hasher.combine(key) } else { hasher.combine(client.client) }
    return hasher.finalize()
  }
}
