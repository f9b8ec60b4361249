import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletStore
import MartletTime

/// A limit: what sets it, and where it holds. Its default is the library's own.
struct LimitSetting: Sendable {
  /// All that limits go to.
  struct Bounds {
    var http = Limits()
    var store = MartletStore.Settings()
    var api = API.Settings()
    var gate = Gate.Settings()
  }

  /// A count, a size in bytes, or a time.
  private enum Target: Sendable {
    case number(any WritableKeyPath<Bounds, Int> & Sendable)
    case time(any WritableKeyPath<Bounds, Duration> & Sendable)
  }

  let setting: Setting
  private let target: Target

  /// Sets it to a value as ``Values`` gives it: times are in milliseconds.
  func set(_ value: Int, in bounds: inout Bounds) {
    switch target {
    case .number(let path): bounds[keyPath: path] = value
    case .time(let path): bounds[keyPath: path] = .milliseconds(value)
    }
  }

  private static func count(
    _ flag: String, _ path: any WritableKeyPath<Bounds, Int> & Sendable, _ range: ClosedRange<Int>,
    _ help: String
  ) -> LimitSetting { limit(flag, .number(path), .number(range), Bounds()[keyPath: path], help) }

  private static func size(
    _ flag: String, _ path: any WritableKeyPath<Bounds, Int> & Sendable, _ range: ClosedRange<Int>,
    _ help: String
  ) -> LimitSetting { limit(flag, .number(path), .size(range), Bounds()[keyPath: path], help) }

  private static func time(
    _ flag: String, _ path: any WritableKeyPath<Bounds, Duration> & Sendable,
    _ range: ClosedRange<Int>, _ help: String
  ) -> LimitSetting {
    limit(flag, .time(path), .duration(range), Bounds()[keyPath: path].wholeMilliseconds, help)
  }

  private static func limit(
    _ flag: String, _ target: Target, _ form: Setting.Form, _ fallback: Int, _ help: String
  ) -> LimitSetting {
    LimitSetting(
      setting: Setting(flag: flag, form: form, fallback: form.text(fallback), help: help),
      target: target)
  }

  private static let many = 1_000_000
  private static let hour = 3_600_000
  private static let day = 24 * hour

  static let all: [LimitSetting] = requests + times + clients + work

  /// What one request may be.
  private static let requests = [
    size("max-request-line", \.http.requestLine, 64...(1 << 20), "the request line; longer: 414"),
    size("max-field-line", \.http.fieldLine, 64...(1 << 20), "one header field; longer: 431"),
    size("max-header", \.http.headerSection, 256...(4 << 20), "all header fields; more: 431"),
    count("max-fields", \.http.fieldCount, 8...10_000, "how many header fields; more: 431"),
    size("max-body", \.http.body, 0...(1 << 30), "a request's body; larger: 413"),
    size(
      "max-bodies", \.http.bodyBytes, 1024...(64 << 30),
      "bodies of all requests together; the one that would have more: 503"),
    size("max-import", \.api.uploadBytes, 0...(1 << 30), "a file that is imported; larger: 413"),
    size(
      "max-chunk-extensions", \.http.chunkExtensions, 0...(1 << 20),
      "extensions of a body's chunks; more: 400"),
    size("max-trailer", \.http.trailerSection, 0...(1 << 20), "a body's trailer; more: 431"),
    count(
      "max-trailer-fields", \.http.trailerCount, 0...10_000, "how many trailer fields; more: 431"),
    count(
      "max-json-depth", \.api.jsonDepth, 1...JSONValue.greatestDepth,
      "arrays and objects inside each other; more: 400"),
  ]

  /// How long a client may take.
  private static let times = [
    time(
      "head-timeout", \.http.headTimeout, 100...hour,
      "until a request's header is complete; then 408"),
    time(
      "idle-timeout", \.http.idleTimeout, 100...day,
      "between two requests; then the connection is closed"),
    time("body-pause", \.http.bodyPause, 100...hour, "between two bytes of a body; then 408"),
    time("body-timeout", \.http.bodyTimeout, 100...day, "for each MiB of a body; then 408"),
    time(
      "write-timeout", \.http.writeTimeout, 100...hour,
      "without the client taking a byte; then it is cut"),
    time(
      "handler-timeout", \.http.handlerTimeout, 100...hour,
      "until a request has its answer; then 503"),
    time(
      "heartbeat", \.http.heartbeat, 100...hour,
      "silence on an event stream until a comment is sent"),
    time(
      "stream-lifetime", \.http.streamLifetime, 1_000...(30 * day),
      "until an event stream has to come back, give or take a tenth"),
    time("linger-timeout", \.http.lingerTimeout, 0...60_000, "reading on behind the last answer"),
    size(
      "max-linger", \.http.lingerBytes, 0...(16 << 20), "what is read on behind the last answer"),
  ]

  /// How many clients there may be, and what each may hold.
  private static let clients = [
    count("max-connections", \.http.connections, 1...many, "open connections; further ones: 503"),
    count(
      "max-streams", \.http.streams, 0...many,
      "open event streams; further ones are told when to come back"),
    count(
      "max-connections-per-address", \.http.connectionsPerAddress, 1...many,
      "of one client address; loopback is not counted"),
    count(
      "max-streams-per-address", \.http.streamsPerAddress, 0...many,
      "of one client address; loopback is not counted"),
    count(
      "max-requests-per-connection", \.http.requestsPerConnection, 1...1_000_000_000,
      "then it is closed"),
    count(
      "rate-limit", \.http.requestsPerMinute, 0...1_000_000,
      "requests a minute of one client address, loopback not counted; more: 429; 0: any number"),
    count(
      "rate-burst", \.http.requestBurst, 1...many, "requests that may come at once within that"),
    count(
      "key-rate-limit", \.gate.requestsPerMinute, 0...1_000_000,
      "requests a minute with one key, loopback not counted; more: 429; 0: any number"),
    count(
      "key-rate-burst", \.gate.requestBurst, 1...many, "requests that may come at once within that"),
    count(
      "max-key-failures", \.gate.failuresPerMinute, 0...1_000_000,
      "wrong keys a minute of one client address; more: 429; 0: any number"),
    time(
      "live-session", \.gate.sessionLifetime, 1_000...(365 * day),
      "until the access that a page follows event streams with has to be asked for anew"),
    size(
      "max-queued-output", \.http.queuedOutput, 1024...(64 << 20),
      "answers that wait for a client; its next request waits for them"),
    size(
      "max-waiting-output", \.http.waitingOutput, (1 << 20)...(64 << 30),
      "answers that wait for all slow clients, at least one --max-result; then large ones are 503"),
    size(
      "send-buffer", \.http.sendBuffer, 4096...(16 << 20),
      "of answers that the kernel holds for a client"),
    size(
      "stream-buffer", \.http.streamBuffer, 4096...(16 << 20),
      "events that wait for a client; then it gets the newest result alone"),
    time("retry-after", \.http.retryAfter, 1_000...hour, "what those are told who come too many"),
  ]

  /// How much work may wait, and take.
  private static let work = [
    count(
      "max-queued-writes", \.store.writeQueueLimit, 1...many, "writes that wait; further ones: 503"),
    time(
      "write-patience", \.store.writePatience, 10...hour,
      "of a write that waits; then 503"),
    time(
      "change-timeout", \.store.writeTimeout, 100...hour,
      "of a write in its transaction; then it is undone, and 503"),
    count(
      "max-changed-rows", \.store.writeRows, 1_000...1_000_000_000,
      "rows that one request may change, those of the search index counted; more: 422"),
    count("max-group", \.store.groupLimit, 1...100_000, "writes in one commit"),
    time(
      "group-time", \.store.groupTime, 1...10_000,
      "after which a commit takes no more writes"),
    count(
      "max-queued-reads", \.store.workerQueueLimit, 1...many,
      "slow reads that wait; further ones: 503"),
    time(
      "read-patience", \.store.workerPatience, 10...hour,
      "of a slow read that waits; then 503"),
    size(
      "max-result", \.store.resultBytes, 4096...(1 << 30),
      "of one result, also on a stream; larger: 422"),
    time("read-timeout", \.api.readTimeout, 10...hour, "of a read in all; then 503"),
    time(
      "slow-query", \.store.slowQuery, 1...hour,
      "from which on a statement is in the log, with its plan"),
    time(
      "bundle-patience", \.api.bundlePatience, 0...hour,
      "of a stream of several queries for one that is behind the others"),
    count(
      "max-exports", \.api.downloads, 1...1_000,
      "large exports that wait for their clients on the disk; further ones: 503"),
    size(
      "hot-results", \.api.keptResultBytes, 0...(1 << 30),
      "of results that are kept for those who ask again, until a commit changes them; 0: none"),
    count(
      "max-kept-answers", \.api.keptAnswers, 1...many,
      "answers to requests with an Idempotency-Key, kept for a day; the oldest go first"),
    count("readers", \.store.workerReaders, 1...64, "connections to the database for slow reads"),
    time(
      "busy-timeout", \.store.busyTimeout, 0...hour,
      "waiting for another program that writes; then 503"),
    time(
      "look-around", \.store.otherWritersInterval, 10...60_000,
      "between two looks for other programs' commits"),
    count(
      "checkpoint-frames", \.store.checkpointFrames, 1...many,
      "pages in the log after which it is copied into the database"),
  ]
}
