import MartletHTTP
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
    case forwarded = "martlet_cluster_forwarded_total"
    case takeovers = "martlet_cluster_takeovers_total"
    case copies = "martlet_cluster_copies_total"

    /// Those of a node of a cluster.
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
      }
    }
  }

  enum Measure: String, CaseIterable, Sendable {
    case groupWrites = "martlet_commit_writes"
    case commitTime = "martlet_commit_seconds"
    case liveTime = "martlet_live_seconds"
    case alarmTime = "martlet_alarm_seconds"

    var help: String {
      switch self {
      case .groupWrites: "Writes in one commit."
      case .commitTime: "Duration of COMMIT, including the fsync of the WAL."
      case .liveTime: "Time from a commit to the delivery of its results to the streams."
      case .alarmTime: "How late alarms have rung."
      }
    }

    var empty: Histogram { self == .groupWrites ? .sizes : .times }
  }

  typealias Gauge = (name: String, help: String, value: Int)

  let requests = RequestMetrics()
  private let isOfCluster: Bool

  /// - Parameter isOfCluster: Whether the server is a node of a cluster.
  init(isOfCluster: Bool = false) { self.isOfCluster = isOfCluster }
  private let counts = Mutex<[Counter: Int]>([:])
  private let measures = Mutex<[Measure: Histogram]>([:])
  private let rejections = Mutex<[String: Int]>([:])
  /// The labels of attempts, with their number.
  private let deliveries = Mutex<[String: Int]>([:])
  /// The labels of requests of calendar programs, with their number.
  private let calendarRequests = Mutex<[String: Int]>([:])

  func add(_ counter: Counter, _ more: Int = 1) {
    counts.withLock { $0[counter, default: 0] += more }
  }

  func measure(_ measure: Measure, _ value: Double) {
    measures.withLock { $0[measure, default: measure.empty].add(value) }
  }

  func measure(_ measure: Measure, _ duration: Duration) {
    measures.withLock { $0[measure, default: measure.empty].add(duration) }
  }

  /// Counts a refused request, stream or connection, or one that timed out.
  ///
  /// - Parameter reason: The slug of a problem type, or the name of the limit.
  func reject(_ reason: String) { rejections.withLock { $0[reason, default: 0] += 1 } }

  /// Counts an attempt to send something to a channel.
  ///
  /// - Parameters:
  ///   - kind: The kind of the channel.
  ///   - result: `delivered`, `failed` if it is tried again, or `dead`.
  func countDelivery(_ kind: String, _ result: String) {
    deliveries.withLock { $0["kind=\"\(kind)\",result=\"\(result)\"", default: 0] += 1 }
  }

  /// Counts a request of a calendar program.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - report: The kind of report; empty for another method.
  func countCalendarRequest(_ method: String, _ report: String) {
    calendarRequests.withLock { $0["method=\"\(method)\",report=\"\(report)\"", default: 0] += 1 }
  }

  /// Appends the `# HELP` and `# TYPE` lines of a metric.
  static func begin(_ name: String, _ help: String, _ type: String, in text: inout String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  /// All metrics as text.
  ///
  /// - Parameter gauges: The current values of the gauges.
  func text(gauges: [Gauge]) -> String {
    let counts = counts.withLock { $0 }
    let measures = measures.withLock { $0 }
    var text = ""
    func begin(_ name: String, _ help: String, _ type: String) {
      Metrics.begin(name, help, type, in: &text)
    }
    requests.write(to: &text)
    for measure in Measure.allCases {
      begin(measure.rawValue, measure.help, "histogram")
      (measures[measure] ?? measure.empty).write(measure.rawValue, to: &text)
    }
    begin("martlet_commits_total", "Commits; a group of writes counts once.", "counter")
    text += "martlet_commits_total \(measures[.groupWrites]?.counts.reduce(0, +) ?? 0)\n"
    for counter in Counter.allCases where isOfCluster || !Counter.cluster.contains(counter) {
      begin(counter.rawValue, counter.help, "counter")
      text += "\(counter.rawValue) \(counts[counter] ?? 0)\n"
    }
    let refused = "martlet_rejections_total"
    begin(
      refused, "Requests, streams and connections that were refused or timed out, by reason.",
      "counter")
    for (reason, count) in rejections.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      text += "\(refused){reason=\"\(reason)\"} \(count)\n"
    }
    let attempts = "martlet_deliveries_total"
    begin(attempts, "Attempts to send something to a channel, by kind and result.", "counter")
    for (labels, count) in deliveries.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      text += "\(attempts){\(labels)} \(count)\n"
    }
    let calendar = "martlet_dav_requests_total"
    begin(calendar, "Requests of calendar programs, by method and report.", "counter")
    for (labels, count) in calendarRequests.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      text += "\(calendar){\(labels)} \(count)\n"
    }
    for gauge in gauges {
      begin(gauge.name, gauge.help, "gauge")
      text += "\(gauge.name) \(gauge.value)\n"
    }
    return text
  }
}
