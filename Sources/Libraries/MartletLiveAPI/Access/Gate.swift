import Dispatch
import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// Authenticates callers by their API keys and limits their request rates.
///
/// It follows the tables of ``APIKeys``. A change by any process takes effect here.
public final class Gate: Sendable {
  /// The settings of a gate.
  public struct Settings: Sendable {
    /// The callers that may do everything while the database has never had a key. By default those
    /// on this machine.
    public var withoutKeys = Callers.ofThisMachine
    /// The number of failed authentications a minute that are permitted to one client address; 0
    /// permits any number. They are counted separately for each existing key, and together for keys
    /// that do not exist. The same number may come in one burst. 100 by default.
    public var failuresPerMinute = 100
    /// The number of requests a minute that are permitted to one key; 0 permits any number.
    /// Requests from loopback addresses are not counted. 6,000 by default.
    public var requestsPerMinute = 6_000
    /// The number of requests that one key may make in one burst. 600 by default.
    public var requestBurst = 600
    /// How an operator creates a key, for example `martlet key create`. Messages that ask for
    /// another key include it. `nil` by default.
    public var keyCreationHint: String?
    /// The lifetime of a live session. One day by default.
    public var sessionLifetime: Duration = .seconds(24 * 3_600)

    /// The number of live sessions a minute that one key may create.
    static let sessionsPerMinute = 60

    /// Creates the default settings.
    public init() {}
  }

  /// Callers by where their requests come from.
  public enum Callers: Sendable {
    /// No caller.
    case nobody
    /// Callers on this machine whose requests no proxy forwarded.
    case ofThisMachine
    /// Every caller.
    case everybody
  }

  /// The key of a token bucket for failed authentications. Guesses at one key do not lock out other
  /// keys, and neither do guesses at keys that do not exist.
  fileprivate struct FailureBucket: Hashable {
    var client: Peer
    var isSession = false
    /// The ID of the key or session; 0 if it does not exist.
    var id = 0
  }

  /// The result of authenticating a request, with header fields for its response.
  enum Admission {
    case admitted(Access, Fields)
    case refused(APIProblem, Fields)
  }

  /// An authentication that was counted as a failed one until it succeeds.
  struct Attempt: Sendable {
    fileprivate var guesser: FailureBucket?
  }

  /// The result of a check that must not block.
  enum KeyCheck {
    case known(Admission)
    /// The answer needs the database or a hash.
    case unknown(Credential, Attempt)
    /// The keys have changed; the ring must be reloaded.
    case stale
  }

  let settings: Settings
  private let database: any ObservableDatabase
  private let clock: MartletTime.Clock
  private let invalidation: Invalidation
  private let ring: Mutex<KeyRing>
  private let failures: RateLimiter<FailureBucket>?
  private let sessions = RateLimiter<Int>(
    perMinute: Settings.sessionsPerMinute, burst: Settings.sessionsPerMinute)
  private let rates: RateLimiter<Int>?
  let verifier = BoundedExecutor()
  private let reloading = DispatchQueue(label: "gate", qos: .userInitiated)
  /// Wakes up when the next key or session expires. Expiry changes the ring without a commit.
  private let nextEnd: Agenda.Entry
  private let onEvent: @Sendable (Event) -> Void

  /// Something that happened in a gate, for logs and metrics.
  public enum Event: Sendable {
    /// Authentication failed. `id` is the key ID in the credential; `nil` for a live session, or if
    /// the credential could not be parsed. `reason` is `malformed`, `unknown`, `wrong secret`,
    /// `expired`, `wrong pairing code` or `wrong token`.
    case refused(Peer, id: Int?, reason: String)
    /// Reloading the keys failed. Requests are refused until it succeeds.
    case failed(any Error)

    /// Writes failures to reload the keys to standard error. Failed authentications are not
    /// written.
    @Sendable public static func log(_ event: Event) {
      if case .failed(let error) = event {
        StandardError.print(
          "the API keys could not be reloaded, so requests are refused until they can be: \(error)")
      }
    }
  }

  /// Loads the keys and follows their changes. `onEvent` is called on any thread.
  ///
  /// Throws if the keys cannot be read.
  public init(
    _ database: any ObservableDatabase, agenda: Agenda = Agenda(),
    settings: Settings = Settings(),
    onEvent: @escaping @Sendable (Event) -> Void = Event.log
  ) throws {
    self.settings = settings
    self.database = database
    clock = agenda.clock
    nextEnd = agenda.entry()
    self.onEvent = onEvent
    failures = RateLimiter(
      perMinute: settings.failuresPerMinute, burst: settings.failuresPerMinute)
    rates = RateLimiter(perMinute: settings.requestsPerMinute, burst: settings.requestBurst)
    invalidation = database.invalidation
    let ring = try Gate.load(database, invalidation, clock, after: nil)
    self.ring = Mutex(ring)
    nextEnd.whenDue { [weak self] _, _ in
      guard let self else { return }
      reloading.async { self.follow() }
    }
    watch(ring)
  }

  /// Whether requests currently need a key.
  public var needsKeys: Bool {
    ring.withLock { $0.everybody } == nil || settings.withoutKeys == .nobody
  }

  // MARK: The ring

  private static func load(
    _ database: any ObservableDatabase, _ invalidation: Invalidation, _ clock: MartletTime.Clock,
    after last: KeyRing?
  ) throws -> KeyRing {
    let commit = invalidation.commit
    let ((rows, hasKeys), dependencies) = try database.read { db in
      try invalidation.read(db) {
        (try APIKeys.rows(now: clock.now(), in: db), try APIKeys.exist(in: db))
      }
    }
    let token = invalidation.register(dependencies, since: commit)
    return KeyRing(rows, hasKeys: hasKeys, token, after: last)
  }

  private func watch(_ ring: KeyRing) {
    nextEnd.plan(at: ring.nextEnd)
    ring.token.whenStale { [weak self] in
      guard let self else { return }
      reloading.async { self.follow() }
    }
  }

  private func follow() {
    do {
      try reload()
    } catch {
      onEvent(.failed(error))
      // Retry soon, so that a revoked key does not stay valid for long.
      reloading.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in self?.follow() }
    }
  }

  private func reload() throws {
    while true {
      let last = ring.withLock { $0 }
      let next = try Gate.load(database, invalidation, clock, after: last)
      let isDone = ring.withLock { ring in
        // If another reload finished first, start again from its result.
        guard ring === last else { return false }
        ring = next
        return true
      }
      guard isDone else { continue }
      last.end(before: next)
      return watch(next)
    }
  }

  /// Whether keys or sessions have changed since they were loaded.
  var isStale: Bool { ring.withLock { $0 }.token.isStale }

  // MARK: Requests

  /// Checks a request without blocking. Call it on the request's event loop. `isBasic` says whether
  /// a key may come as a password.
  func check(_ request: Request, isBasic: Bool, _ context: RequestContext) -> KeyCheck {
    let ring = ring.withLock { $0 }
    // Otherwise a key would work after its revocation was answered.
    if ring.token.isStale { return .stale }
    if let everybody = ring.everybody, settings.withoutKeys != .nobody {
      guard settings.withoutKeys == .everybody || request.isLocal else {
        return .known(.refused(notYet, .none))
      }
      return .known(.admitted(everybody, .none))
    }
    let credential: Credential
    switch RequestCredential(request, isBasic: isBasic) {
    case .nothing: return .known(.refused(Gate.missing, .none))
    case .unreadable(let problem):
      let guesser = guesser(request, nil)
      return .known(failed(request, nil, guesser, "malformed", context, problem))
    case .credential(let shown): credential = shown
    }
    let entry = ring.entry(credential, at: context.now)
    switch entry?.isRight(credential.secret) {
    case true?: return .known(count(entry?.access ?? .nothing, request, context))
    case false?:
      let guesser = guesser(request, credential)
      return .known(failed(request, credential, guesser, "wrong secret", context))
    case nil:
      // Take a token from the rate limiter before verifying, and return it if the credential is
      // valid.
      let guesser = self.guesser(request, entry == nil ? nil : credential)
      return takeFailure(guesser, context).map { .known($0) }
        ?? .unknown(credential, Attempt(guesser: guesser))
    }
  }

  /// The bucket of a request. `credential` is `nil` if no such key or session exists.
  private func guesser(_ request: Request, _ credential: Credential?) -> FailureBucket {
    FailureBucket(
      client: request.client.client, isSession: credential?.kind == .session,
      id: credential?.id ?? 0)
  }

  /// Reloads the keys if they are stale and calls `body` on another thread.
  func refresh(_ body: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    reloading.async { [self] in
      body(
        Result {
          if isStale { try reload() }
        })
    }
  }

  /// Verifies a credential on another thread. Returns false if too many verifications are waiting.
  func verify(
    _ credential: Credential, _ attempt: Attempt, _ request: Request,
    _ body: @escaping @Sendable (Result<Access, any Error>) -> Void
  ) -> Bool {
    let isTaken = verifier.run { [self] in
      body(Result { try verified(credential, attempt, request) })
    }
    if !isTaken { giveBack(attempt) }
    return isTaken
  }

  /// Does not count an attempt as a guess: the credential was valid, or could not be checked.
  func giveBack(_ attempt: Attempt) {
    if let guesser = attempt.guesser { failures?.giveBack(guesser) }
  }

  private func verified(
    _ credential: Credential, _ attempt: Attempt, _ request: Request
  ) throws -> Access {
    let now = clock.now()
    var entry = ring.withLock { $0 }.entry(credential, at: now)
    if entry == nil {
      // A key created moments ago may not have been loaded yet.
      do { try reload() } catch {
        giveBack(attempt)
        throw error
      }
      entry = ring.withLock { $0 }.entry(credential, at: now)
    }
    guard let entry, entry.proves(credential.secret) else {
      let end = entry == nil ? try expiry(of: credential, attempt, now) : nil
      let reason = end != nil ? "expired" : entry == nil ? "unknown" : "wrong secret"
      onEvent(.refused(request.client, id: credential.keyID, reason: reason))
      throw end.map { expired(credential.kind, $0) } ?? Gate.wrong
    }
    giveBack(attempt)
    return entry.access
  }

  /// When the credential expired; `nil` if it has not expired or was revoked. Revealed only to a
  /// caller that has its secret.
  private func expiry(
    of credential: Credential, _ attempt: Attempt, _ now: Instant
  ) throws -> Instant? {
    let ended: (hash: String, end: Instant)?
    do {
      ended = try database.read { try APIKeys.ended(credential, at: now, in: $0) }
    } catch {
      giveBack(attempt)
      throw error
    }
    guard let ended, credential.secret.matches(ended.hash) else { return nil }
    return ended.end
  }

  /// Counts a request of a key against its rate limit.
  func count(_ access: Access, _ request: Request, _ context: RequestContext) -> Admission {
    // It was counted by the node that forwarded it, or when its caller was admitted first.
    guard let rates, let key = access.keyID, !request.client.isLoopback,
      request.forwarding == nil, request.caller == nil
    else {
      return .admitted(access, .none)
    }
    let standing = rates.take(key, at: context.monotonic)
    let fields = standing.fields("key")
    guard standing.isAllowed else {
      return .refused(
        APIProblem(
          .rateLimited, "Too many requests with this key. Try again in \(standing.retryAfter) s.",
          retryAfter: standing.retryAfter),
        fields)
    }
    return .admitted(access, fields)
  }

  private func failed(
    _ request: Request, _ credential: Credential?, _ guesser: FailureBucket, _ reason: String,
    _ context: RequestContext, _ problem: APIProblem = Gate.wrong
  ) -> Admission {
    if let refusal = takeFailure(guesser, context) { return refusal }
    onEvent(.refused(request.client, id: credential?.keyID, reason: reason))
    return .refused(problem, .none)
  }

  /// Takes a token for a failed authentication. Returns the refusal if no token is left.
  private func takeFailure(_ guesser: FailureBucket, _ context: RequestContext) -> Admission? {
    guard let standing = failures?.take(guesser, at: context.monotonic), !standing.isAllowed
    else { return nil }
    return .refused(
      APIProblem(
        .rateLimited,
        "Too many failed authentications from this address. Try again in \(standing.retryAfter) s.",
        retryAfter: standing.retryAfter),
      .none)
  }

  /// Counts a new live session or pairing code against the key's limit. Throws a 429 beyond it.
  func countSession(of key: Int, _ context: RequestContext) throws(APIProblem) {
    guard let standing = sessions?.take(key, at: context.monotonic), !standing.isAllowed else {
      return
    }
    throw APIProblem(
      .rateLimited,
      "Too many live sessions and pairing codes created with this key. Try again in \(standing.retryAfter) s.",
      retryAfter: standing.retryAfter)
  }

  // MARK: Guesses

  /// Counts a pairing code or a token as a failed authentication, until ``giveBack(_:)``. Throws a
  /// 429 if there were too many.
  func countGuess(_ request: Request, _ context: RequestContext) throws(APIProblem) -> Attempt {
    let guesser = guesser(request, nil)
    if case .refused(let problem, _)? = takeFailure(guesser, context) { throw problem }
    return Attempt(guesser: guesser)
  }

  /// Reports a wrong pairing code, or a wrong token.
  func reportGuess(_ request: Request, _ reason: String) {
    onEvent(.refused(request.client, id: nil, reason: reason))
  }

  static let overloaded = APIProblem(
    .overloaded, "The server is busy verifying keys. Try again in 1 s.", retryAfter: 1)
  private var notYet: APIProblem {
    .unauthorized(
      """
      Requests forwarded by a proxy need authentication, and no key exists yet. A request from the \
      address of a trusted proxy counts as forwarded, unless its X-Forwarded-For has only loopback \
      addresses.
      """ + (settings.keyCreationHint.map { " Create a key with \($0)." } ?? ""), .missing)
  }
  private static let missing = APIProblem.unauthorized(
    "Authentication is required. Send Authorization: Bearer mk_…", .missing)
  /// The same message for an unknown key, a revoked one and a wrong secret: it reveals nothing.
  private static let wrong = APIProblem.unauthorized(
    "The key or live session is invalid: it does not exist, was revoked or has another secret.",
    .invalid)

  private func expired(_ kind: Credential.Kind, _ end: Instant) -> APIProblem {
    let time = RFC3339.string(end)
    return .unauthorized(
      kind == .key
        ? "The key expired at \(time). Create another one"
          + (settings.keyCreationHint.map { " with \($0)." } ?? ".")
        : "The live session expired at \(time). Create another one with the key.", .invalid)
  }
}
