import MartletHTTP
import MartletReminders
import Synchronization

/// The counters and histograms of the server, in Prometheus's text format.
final class Metrics: Sendable {
  enum Counter: String, CaseIterable, Sendable {
    case foreignCommits = "martlet_foreign_commits_total"
    case writeFailures = "martlet_write_failures_total"
    case liveRuns = "martlet_live_query_runs_total"
    case liveChanges = "martlet_live_query_changes_total"
    case liveFailures = "martlet_live_query_failures_total"
    case cacheHits = "martlet_cache_hits_total"
    case failedRequests = "martlet_failed_requests_total"
    case slowQueries = "martlet_slow_queries_total"
    case backupFailures = "martlet_backup_failures_total"
    case forwarded = "martlet_cluster_forwarded_total"
    case takeovers = "martlet_cluster_takeovers_total"
    case copies = "martlet_cluster_copies_total"

    /// The counters of a node of a cluster.
    static let cluster: Set<Counter> = [.forwarded, .takeovers, .copies]

    var help: String {
      switch self {
      case .foreignCommits: "Commits by other programs."
      case .writeFailures:
        "Groups of writes that failed: the disk was full or the database was locked."
      case .liveRuns: "Runs of live queries (refreshes)."
      case .liveChanges: "Runs of live queries whose result changed."
      case .liveFailures: "Runs of live queries that failed."
      case .cacheHits: "Reads answered from the response cache."
      case .failedRequests: "Requests that a route answered with a status of 500 or above."
      case .forwarded: "Writes that this node has sent to the primary."
      case .takeovers: "Times that this node has become the primary."
      case .copies: "Copies of other nodes' files that this node has taken."
      case .slowQueries: "Statements that took at least --slow-query."
      case .backupFailures: "Scheduled backups that failed."
      }
    }
  }

  enum Measure: String, CaseIterable, Sendable {
    case groupWrites = "martlet_commit_writes"
    case commitTime = "martlet_commit_seconds"
    case liveTime = "martlet_live_seconds"
    case alarmTime = "martlet_alarm_seconds"
    case appendTime = "martlet_cluster_append_seconds"
    case readWait = "martlet_cluster_wait_seconds"

    /// The measures of a node of a cluster.
    static let cluster: Set<Measure> = [.appendTime, .readWait]

    var help: String {
      switch self {
      case .groupWrites: "Writes in one commit."
      case .commitTime: "Duration of COMMIT, including the fsync of the WAL."
      case .liveTime: "Time from a commit to the delivery of its results to the streams."
      case .alarmTime: "How late alarms have rung."
      case .appendTime: "Time until most nodes had an entry of the log, on the primary."
      case .readWait: "Time that reads waited until the file had all acknowledged writes."
      }
    }

    var empty: Histogram { self == .groupWrites ? .sizes : .times }
  }

  /// Counters with labels.
  private enum Family: String, CaseIterable {
    case rejections = "martlet_rejections_total"
    case deliveries = "martlet_deliveries_total"
    case calendarRequests = "martlet_dav_requests_total"

    var help: String {
      switch self {
      case .rejections:
        "Requests, streams and connections that were refused or timed out, by reason."
      case .deliveries: "Attempts to send something to a channel, by kind and result."
      case .calendarRequests: "Requests of calendar programs, by method and report."
      }
    }

    /// The labels that are there from the start, with 0. `increase()` does not see the first event
    /// of a counter that begins with 1.
    var initial: [String] {
      switch self {
      case .rejections: Rejection.allCases.map { "reason=\"\($0.rawValue)\"" }
      case .deliveries:
        ChannelKind.allCases.flatMap { kind in
          DeliveryResult.allCases.map { Family.delivery(kind, $0) }
        }
      case .calendarRequests: []
      }
    }

    static func delivery(_ kind: ChannelKind, _ result: DeliveryResult) -> String {
      "kind=\"\(kind.label)\",result=\"\(result.rawValue)\""
    }
  }

  /// The limits whose refusals are counted. Other reasons are the slugs of problem types.
  enum Rejection: String, CaseIterable, Sendable {
    case connections = "too-many-connections"
    case streams = "too-many-streams"
    case rate = "rate-limited"
    case key
    case idle
    case write = "write-timeout"
    case output = "waiting-output"
    case handler = "handler-timeout"
  }

  /// How an attempt to send something to a channel has ended.
  enum DeliveryResult: String, CaseIterable, Sendable {
    case delivered
    /// It is tried again.
    case failed
    /// It was the last attempt.
    case dead
    /// It was not made, because the alarm does not ring any more.
    case answered
  }

  typealias Gauge = (name: String, help: String, value: Int)
  typealias LabeledGauge = (name: String, help: String, values: [(labels: String, value: Int)])

  let requests = RequestMetrics()
  private let isOfCluster: Bool

  /// - Parameter isOfCluster: Whether the server is a node of a cluster.
  init(isOfCluster: Bool = false) { self.isOfCluster = isOfCluster }
  private let counts = Mutex<[Counter: Int]>([:])
  private let measures = Mutex<[Measure: Histogram]>([:])
  private let families = Mutex(
    Dictionary(
      uniqueKeysWithValues: Family.allCases.map { family in
        (family, Dictionary(uniqueKeysWithValues: family.initial.map { ($0, 0) }))
      }))

  func add(_ counter: Counter, _ more: Int = 1) {
    counts.withLock { $0[counter, default: 0] += more }
  }

  func measure(_ measure: Measure, _ value: Double) {
    measures.withLock { $0[measure, default: measure.empty].add(value) }
  }

  func measure(_ measure: Measure, _ duration: Duration) {
    measures.withLock { $0[measure, default: measure.empty].add(duration) }
  }

  private func count(_ family: Family, _ labels: String) {
    families.withLock { $0[family, default: [:]][labels, default: 0] += 1 }
  }

  /// Counts a request, stream or connection that exceeded a limit.
  func reject(_ limit: Rejection) { reject(limit.rawValue) }

  /// Counts a refused request.
  ///
  /// - Parameter reason: The slug of a problem type.
  func reject(_ reason: String) { count(.rejections, "reason=\"\(reason)\"") }

  /// Counts an attempt to send something to a channel of a kind.
  func countDelivery(_ kind: ChannelKind, _ result: DeliveryResult) {
    count(.deliveries, Family.delivery(kind, result))
  }

  /// Counts a request of a calendar program.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - report: The kind of report; empty for another method.
  func countCalendarRequest(_ method: String, _ report: String) {
    count(.calendarRequests, "method=\"\(method)\",report=\"\(report)\"")
  }

  /// Appends the `# HELP` and `# TYPE` lines of a metric.
  static func begin(_ name: String, _ help: String, _ type: String, in text: inout String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  /// All metrics as text.
  ///
  /// - Parameters:
  ///   - gauges: The current values of the gauges.
  ///   - labeled: Those of the gauges with labels.
  func text(gauges: [Gauge], labeled: [LabeledGauge] = []) -> String {
    let counts = counts.withLock { $0 }
    let measures = measures.withLock { $0 }
    var text = ""
    func begin(_ name: String, _ help: String, _ type: String) {
      Metrics.begin(name, help, type, in: &text)
    }
    requests.write(to: &text)
    for measure in Measure.allCases where isOfCluster || !Measure.cluster.contains(measure) {
      begin(measure.rawValue, measure.help, "histogram")
      (measures[measure] ?? measure.empty).write(measure.rawValue, to: &text)
    }
    begin("martlet_commits_total", "Commits; a group of writes counts once.", "counter")
    text += "martlet_commits_total \(measures[.groupWrites]?.counts.reduce(0, +) ?? 0)\n"
    for counter in Counter.allCases where isOfCluster || !Counter.cluster.contains(counter) {
      begin(counter.rawValue, counter.help, "counter")
      text += "\(counter.rawValue) \(counts[counter] ?? 0)\n"
    }
    let families = families.withLock { $0 }
    for family in Family.allCases {
      begin(family.rawValue, family.help, "counter")
      for (labels, count) in (families[family] ?? [:]).sorted(by: { $0.key < $1.key }) {
        text += "\(family.rawValue){\(labels)} \(count)\n"
      }
    }
    for gauge in gauges {
      begin(gauge.name, gauge.help, "gauge")
      text += "\(gauge.name) \(gauge.value)\n"
    }
    for gauge in labeled {
      begin(gauge.name, gauge.help, "gauge")
      for (labels, value) in gauge.values { text += "\(gauge.name){\(labels)} \(value)\n" }
    }
    return text
  }
}
