import Dispatch
import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// Lets callers in by their keys. It follows the tables of ``APIKeys``: whoever changes them, from whatever process,
/// changes what holds here.
public final class Gate: Sendable {
  public struct Settings: Sendable {
    /// Who may do everything as long as there was never a key.
    public var withoutKeys = Callers.ofThisMachine
    /// Wrong keys a minute that one client address may show, for each key that there is and for all that there are
    /// not; so many may come at once.
    public var failuresPerMinute = 100
    /// Requests a minute with one key, and how many may come at once within that. 0: any number. Those of
    /// loopback are not counted.
    public var requestsPerMinute = 6_000
    public var requestBurst = 600
    /// How an operator makes a key, in a few words: `martlet key create`. Refusals that another key would help say so.
    public var makesKeys: String?
    /// How long a live session holds.
    public var sessionLifetime: Duration = .seconds(24 * 3_600)

    /// Live sessions a minute that one key may make.
    static let sessionsPerMinute = 60

    public init() {}
  }

  public enum Callers: Sendable {
    case nobody
    /// Those that no proxy speaks for.
    case ofThisMachine
    case everybody
  }

  /// Who shows wrong secrets for what. Guesses at one key do not keep others out, nor do those at none.
  fileprivate struct FailureBucket: Hashable {
    var client: Peer
    var isSession = false
    /// 0 for what there is not.
    var id = 0
  }

  /// What becomes of a request; with lines for its answer.
  enum Admission {
    case admitted(Access, Fields)
    case refused(APIProblem, Fields)
  }

  /// A look that was counted as a guess, until it turns out to be none.
  struct Attempt: Sendable {
    fileprivate var guesser: FailureBucket?
  }

  /// What can be told at once.
  enum KeyCheck {
    case known(Admission)
    /// That takes a look at the database, or a hash.
    case unknown(Credential, Attempt)
    /// There may be a key since a moment ago, where there was none before.
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
  /// The next instant at which a key or a session ceases to hold, which takes no commit.
  private let nextEnd: Agenda.Entry
  private let onEvent: @Sendable (Event) -> Void

  public enum Event: Sendable {
    /// Authentication failed. `id` is the key's in the credential; `nil` for a live session, or where it could not be parsed.
    case refused(Peer, id: Int?, reason: String)
    /// The keys could not be read again: those of before hold on.
    case failed(any Error)

    /// Tells troubles on standard error. A wrong key is none.
    @Sendable public static func log(_ event: Event) {
      if case .failed(let error) = event {
        StandardError.print("the API keys could not be read again: \(error)")
      }
    }
  }

  /// `onEvent` is called on any thread.
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

  /// Whether requests need a key now.
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
      // A key that was revoked is not to hold on for long.
      reloading.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in self?.follow() }
    }
  }

  private func reload() throws {
    while true {
      let last = ring.withLock { $0 }
      let next = try Gate.load(database, invalidation, clock, after: last)
      let isDone = ring.withLock { ring in
        // Where another reload was faster, this one goes on from it.
        guard ring === last else { return false }
        ring = next
        return true
      }
      guard isDone else { continue }
      last.end(before: next)
      return watch(next)
    }
  }

  private var isStale: Bool { ring.withLock { $0 }.token.isStale }

  // MARK: Requests

  /// On the request's loop.
  func check(_ request: Request, _ context: RequestContext) -> KeyCheck {
    let ring = ring.withLock { $0 }
    if let everybody = ring.everybody, settings.withoutKeys != .nobody {
      if ring.token.isStale { return .stale }
      guard settings.withoutKeys == .everybody || request.isLocal else {
        return .known(.refused(notYet, .none))
      }
      return .known(.admitted(everybody, .none))
    }
    let credential: Credential
    switch ShownCredential(request) {
    case .nothing: return .known(.refused(Gate.missing, .none))
    case .unreadable(let problem):
      let guesser = guesser(request, nil)
      return .known(failed(request, nil, guesser, "malformed", context, problem))
    case .credential(let shown): credential = shown
    }
    let entry = ring.entry(credential, at: context.now)
    if entry == nil, ring.token.isStale {
      return .unknown(credential, Attempt())
    }
    switch entry?.isRight(credential.secret) {
    case true?: return .known(count(entry?.access ?? .nothing, request, context))
    case false?:
      let guesser = guesser(request, credential)
      return .known(failed(request, credential, guesser, "wrong secret", context))
    case nil:
      // Before anything is done for what may be a guess; given back where it is none.
      let guesser = self.guesser(request, entry == nil ? nil : credential)
      return takeFailure(guesser, context).map { .known($0) }
        ?? .unknown(credential, Attempt(guesser: guesser))
    }
  }

  /// `credential`: where there is such a one.
  private func guesser(_ request: Request, _ credential: Credential?) -> FailureBucket {
    FailureBucket(
      client: request.client.client, isSession: credential?.kind == .session,
      id: credential?.id ?? 0)
  }

  /// Calls `body` on another thread when the keys are those of now.
  func refresh(_ body: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    reloading.async { [self] in
      body(
        Result {
          if isStale { try reload() }
        })
    }
  }

  /// Finds out on another thread whether what was shown lets in. False where too many wait for that.
  func verify(
    _ credential: Credential, _ attempt: Attempt, _ request: Request,
    _ body: @escaping @Sendable (Result<Access, any Error>) -> Void
  ) -> Bool {
    let isTaken = verifier.run { [self] in
      body(Result { try verified(credential, attempt, request) })
    }
    if !isTaken { wasNone(attempt) }
    return isTaken
  }

  /// It was no guess, as far as anybody knows.
  private func wasNone(_ attempt: Attempt) {
    if let guesser = attempt.guesser { failures?.giveBack(guesser) }
  }

  private func verified(
    _ credential: Credential, _ attempt: Attempt, _ request: Request
  ) throws -> Access {
    let now = clock.now()
    var entry = ring.withLock { $0 }.entry(credential, at: now)
    if entry == nil {
      // One that was made a moment ago may not be here yet.
      do { try reload() } catch {
        wasNone(attempt)
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
    wasNone(attempt)
    return entry.access
  }

  /// When it has expired, told only to a caller that has its secret; `nil` where it has not, or was revoked.
  private func expiry(
    of credential: Credential, _ attempt: Attempt, _ now: Instant
  ) throws -> Instant? {
    let ended: (hash: String, end: Instant)?
    do {
      ended = try database.read { try APIKeys.ended(credential, at: now, in: $0) }
    } catch {
      wasNone(attempt)
      throw error
    }
    guard let ended, credential.secret.matches(ended.hash) else { return nil }
    return ended.end
  }

  /// Counts the key's requests.
  func count(_ access: Access, _ request: Request, _ context: RequestContext) -> Admission {
    guard let rates, let key = access.keyID, !request.client.isLoopback else {
      return .admitted(access, .none)
    }
    let standing = rates.take(key, at: context.monotonic)
    let fields = standing.fields("key")
    guard standing.isAllowed else {
      return .refused(
        APIProblem(
          .rateLimited, "The key has made too many requests.", retryAfter: standing.retryAfter),
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

  /// Before anything is done for what may be a guess.
  private func takeFailure(_ guesser: FailureBucket, _ context: RequestContext) -> Admission? {
    guard let standing = failures?.take(guesser, at: context.monotonic), !standing.isAllowed
    else { return nil }
    return .refused(
      APIProblem(
        .rateLimited, "Too many wrong keys came from there.", retryAfter: standing.retryAfter),
      .none)
  }

  /// Counts the live sessions that a key makes.
  func countSession(of key: Int, _ context: RequestContext) throws(APIProblem) {
    guard let standing = sessions?.take(key, at: context.monotonic), !standing.isAllowed else {
      return
    }
    throw APIProblem(
      .rateLimited, "The key has made too many live sessions.", retryAfter: standing.retryAfter)
  }

  static let overloaded = APIProblem(
    .overloaded, "Too many keys wait to be looked at.", retryAfter: 1)
  private var notYet: APIProblem {
    .unauthorized(
      "A proxy asks for somebody, and there are no keys yet"
        + (settings.makesKeys.map { ": \($0) makes one." } ?? "."), .missing)
  }
  private static let missing = APIProblem.unauthorized(
    "A key is needed: Authorization: Bearer mk_…", .missing)
  /// The same for what was never a key, for one that was revoked and for a wrong secret.
  private static let wrong = APIProblem.unauthorized("There is no such key.", .invalid)

  private func expired(_ kind: Credential.Kind, _ end: Instant) -> APIProblem {
    let time = RFC3339.string(end)
    return .unauthorized(
      kind == .key
        ? "The key has expired at \(time). Make another one"
          + (settings.makesKeys.map { ": \($0)" } ?? ".")
        : "The live session has ended at \(time). Ask for another one with the key", .invalid)
  }
}
