import MartletHTTP
import MartletSQLite
import MartletTime
import Synchronization

/// A caller and its rights: one object for each valid key and each live session.
public final class Access: Sendable {
  /// The ID of this caller, unique within the process.
  let id: UInt64
  /// The rights of the caller.
  public let rights: Rights
  /// The ID of the key of the request or of its live session; `nil` if requests need no key.
  public let keyID: Int?
  /// Whether this is the anonymous caller of a database that has never had a key.
  private let isEverybody: Bool
  /// Whether the caller uses a live session, which permits only event streams.
  let isSession: Bool
  /// The event streams of this caller.
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

  /// The caller of a service without keys.
  static let everything = Access(Rights(.admin))
  /// The caller of a request that was not authenticated.
  static let nothing = Access(Rights(.read, parts: []))

  /// Whether the key or session has expired, or was revoked or changed.
  var isEnded: Bool { ended.load(ordering: .acquiring) }

  /// Ends the caller's access and wakes its streams, which then end.
  func end() {
    ended.store(true, ordering: .releasing)
    streams.wake()
  }

  /// Adds a stream of this caller. Call it on the stream's event loop.
  func join(_ stream: EventStream) { streams.join(stream) }

  /// Throws a 401 if the key was revoked, has expired, or has other rights since the request came.
  /// Long work calls it repeatedly.
  func checkEnd() throws(APIProblem) {
    guard isEnded else { return }
    throw isEverybody
      ? Access.keyRequired
      : .unauthorized(
        "The key's access has ended: it has expired, or was revoked or changed.", .invalid)
  }

  /// Checks in a write's transaction that the caller's key is still valid.
  ///
  /// The write may have waited, so that its key may have been revoked meanwhile. Throws a 401 if
  /// the key has expired or was revoked. Throws a 503 if the key is valid but its rights have
  /// changed: the next request gets the new rights, and a 401 would make the client discard a valid
  /// key. This happens, for example, when a list that the key is limited to is deleted.
  func check(at now: Instant, in db: Connection) throws {
    if let keyID {
      guard try APIKeys.isInForce(keyID, at: now, in: db) else {
        throw APIProblem.unauthorized(
          "The key has expired or was revoked. Send a valid one.", .invalid)
      }
      if isEnded, try APIKeys.find(keyID, in: db)?.rights != rights {
        throw APIProblem(
          .overloaded,
          "The key's rights changed while the request was waiting. Nothing was done. Try again in 1 s.",
          retryAfter: 1)
      }
    } else {
      try checkEnd()
    }
    if isEverybody, try APIKeys.exist(in: db) {
      throw Access.keyRequired
    }
  }

  private static let keyRequired = APIProblem.unauthorized(
    "Authentication is now required. Send Authorization: Bearer mk_…", .missing)

  /// Throws a 403 if the caller does not have the rights that a route needs.
  func check(_ need: RequiredRights) throws(APIProblem) {
    guard !isSession || need.isLive else {
      throw .forbidden("A live session permits only event streams. Send a key.", needs: need.scope)
    }
    guard rights.scope >= need.scope else {
      throw .forbidden(
        "This needs a key with the scope \(need.scope.rawValue); this key has the scope \(rights.scope.rawValue).",
        needs: need.scope)
    }
    guard rights.parts == nil || need.parts == .respected else {
      throw .forbidden(
        "This key is limited to parts of the data and cannot do this. Use a key without that limit.",
        needs: need.scope)
    }
  }
}

extension Request {
  /// The caller of the request. A request that was not authenticated has a caller without any
  /// rights.
  public var access: Access { caller as? Access ?? .nothing }

  /// The client that the request's work is charged to when several compete: its key, or its address
  /// if there are no keys.
  var clientNumber: Int {
    var hasher = Hasher()
    if let key = access.keyID { hasher.combine(key) } else { hasher.combine(client.client) }
    return hasher.finalize()
  }
}
