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
    size("max-body", \.http.body, 0...(1 << 30), "a request's body; larger: 413"),
    size("max-import", \.api.uploadBytes, 0...(1 << 30), "a file that is imported; larger: 413"),
  ]

  /// How long a client may take.
  private static let times = [
    time(
      "idle-timeout", \.http.idleTimeout, 100...day,
      "between two requests; then the connection is closed"),
    time(
      "handler-timeout", \.http.handlerTimeout, 100...hour,
      "until a request has its answer; then 503"),
    time(
      "heartbeat", \.http.heartbeat, 100...hour,
      "silence on an event stream until a comment is sent"),
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
    size(
      "max-waiting-output", \.http.waitingOutput, (1 << 20)...(64 << 30),
      "answers that wait for all slow clients, at least one --max-result; then large ones are 503"),
  ]

  /// How much work may wait, and take.
  private static let work = [
    time(
      "change-timeout", \.store.writeTimeout, 100...hour,
      "of a write in its transaction; then it is undone, and 503"),
    count(
      "max-changed-rows", \.store.writeRows, 1_000...1_000_000_000,
      "rows that one request may change, those of the search index counted; more: 422"),
    size(
      "max-result", \.store.resultBytes, 4096...(1 << 30),
      "of one result, also on a stream; larger: 422"),
    time("read-timeout", \.api.readTimeout, 10...hour, "of a read in all; then 503"),
    time(
      "slow-query", \.store.slowQuery, 1...hour,
      "from which on a statement is in the log, with its plan"),
    size(
      "response-cache", \.api.responseCacheBytes, 0...(1 << 30),
      "of results that are kept for those who ask again, until a commit changes them; 0: none"),
  ]
}
