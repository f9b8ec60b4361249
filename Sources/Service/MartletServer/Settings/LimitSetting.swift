import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletStore
import MartletTime

/// A setting for a limit of one of the libraries. Its default is the default of the library.
struct LimitSetting: Sendable {
  /// The settings of the libraries that have limits.
  struct Bounds {
    var http = Limits()
    var store = Configuration()
    var api = API.Settings()
    var gate = Gate.Settings()
  }

  /// The property that the setting sets: a count, a size in bytes, or a duration.
  private enum Target: Sendable {
    case number(any WritableKeyPath<Bounds, Int> & Sendable)
    case time(any WritableKeyPath<Bounds, Duration> & Sendable)
  }

  let setting: Setting
  private let target: Target

  /// Sets the limit.
  ///
  /// - Parameter value: A value from ``Values/integer(_:)``; durations are in milliseconds.
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
      setting: Setting(flag, form, fallback: form.text(fallback), help),
      target: target)
  }

  private static let many = 1_000_000
  private static let hour = 3_600_000
  private static let day = 24 * hour

  /// All limits that are settings.
  static let all: [LimitSetting] = requests + times + clients + work

  /// Limits of one request.
  private static let requests = [
    size("max-body", \.http.body, 0...(1 << 30), "the largest request body; a larger one gets 413"),
    size(
      "max-import", \.api.uploadBytes, 0...(1 << 30),
      "the largest file to import over HTTP; a larger one gets 413"),
  ]

  /// Timeouts of clients.
  private static let times = [
    time(
      "idle-timeout", \.http.idleTimeout, 100...day,
      "how long a connection may be idle between requests; then it is closed"),
    time(
      "handler-timeout", \.http.handlerTimeout, 100...hour,
      "how long a request may wait for its response; then it gets 503"),
    time(
      "heartbeat", \.http.heartbeat, 100...hour,
      "how long an event stream may be silent; then a comment is sent to keep it open"),
  ]

  /// Limits for all clients together, and for each client address and API key.
  private static let clients = [
    count(
      "max-connections", \.http.connections, 1...many,
      "the maximum number of open connections; a further one gets 503"),
    count(
      "max-streams", \.http.streams, 0...many,
      "the maximum number of open event streams; a further one is refused with a time to retry"),
    count(
      "max-connections-per-address", \.http.connectionsPerAddress, 1...many,
      "the maximum number of connections of one client address; loopback is not counted"),
    count(
      "max-streams-per-address", \.http.streamsPerAddress, 0...many,
      "the maximum number of event streams of one client address; loopback is not counted"),
    count(
      "rate-limit", \.http.requestsPerMinute, 0...1_000_000,
      "requests per minute from one client address, not counting loopback; more get 429; 0: no limit"
    ),
    count(
      "rate-burst", \.http.requestBurst, 1...many, "how many of these requests may come at once"),
    count(
      "key-rate-limit", \.gate.requestsPerMinute, 0...1_000_000,
      "requests per minute with one API key, not counting loopback; more get 429; 0: no limit"),
    count(
      "key-rate-burst", \.gate.requestBurst, 1...many, "how many of these requests may come at once"
    ),
    count(
      "max-key-failures", \.gate.failuresPerMinute, 0...1_000_000,
      "wrong API keys per minute from one client address; more get 429; 0: no limit"),
    size(
      "max-waiting-output", \.http.waitingOutput, (1 << 20)...(64 << 30),
      "the total size of responses queued for slow clients, at least one --max-result; beyond it large ones get 503"
    ),
  ]

  /// Limits of reads and writes.
  private static let work = [
    time(
      "change-timeout", \.store.writeTimeout, 100...hour,
      "how long a write may run in its transaction; then it is rolled back and gets 503"),
    count(
      "max-changed-rows", \.store.writeRows, 1_000...1_000_000_000,
      "the maximum number of rows that a request may change, without rows of triggers and of the search index; more get 422"
    ),
    size(
      "max-result", \.store.resultBytes, 4096...(1 << 30),
      "the largest result of a read, also on an event stream; a larger one gets 422"),
    time(
      "read-timeout", \.api.readTimeout, 10...hour,
      "how long a read may take in total; then it gets 503"),
    time(
      "slow-query", \.store.slowQuery, 1...hour,
      "how long a statement may take; a slower one is logged with its query plan"),
    size(
      "response-cache", \.api.responseCacheBytes, 0...(1 << 30),
      "the size of the response cache, whose entries commits invalidate; 0: no cache"),
  ]
}
