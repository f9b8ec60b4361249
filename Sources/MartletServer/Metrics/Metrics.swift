import MartletHTTP
import Synchronization

/// What is counted and measured, printed in the text format that Prometheus reads.
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

    var help: String {
      switch self {
      case .foreignCommits: "Commits by other programs."
      case .writeFailures: "Commits that failed."
      case .liveRuns: "Runs of live queries."
      case .liveChanges: "Runs of live queries that gave another result."
      case .liveFailures: "Runs of live queries that failed."
      case .cacheHits: "Reads answered with a result that was kept."
      case .failedRequests: "Requests answered with 500 or above by a route."
      case .slowQueries: "Statements that took longer than the log is told of."
      }
    }
  }

  enum Measure: String, CaseIterable, Sendable {
    case groupWrites = "martlet_commit_writes"
    case commitTime = "martlet_commit_seconds"
    case liveTime = "martlet_live_seconds"

    var help: String {
      switch self {
      case .groupWrites: "Writes in one commit."
      case .commitTime: "COMMIT, with the log's way to the disk."
      case .liveTime: "From a commit until its changes were handed to the streams."
      }
    }

    var empty: Histogram { self == .groupWrites ? .sizes : .times }
  }

  typealias Gauge = (name: String, help: String, value: Int)

  let requests = RequestMetrics()
  private let counts = Mutex<[Counter: Int]>([:])
  private let measures = Mutex<[Measure: Histogram]>([:])
  private let rejections = Mutex<[String: Int]>([:])

  func add(_ counter: Counter, _ more: Int = 1) {
    counts.withLock { $0[counter, default: 0] += more }
  }

  func measure(_ measure: Measure, _ value: Double) {
    measures.withLock { $0[measure, default: measure.empty].add(value) }
  }

  func measure(_ measure: Measure, _ duration: Duration) {
    measures.withLock { $0[measure, default: measure.empty].add(duration) }
  }

  /// Something was refused or given up: a problem's type, or the limit that it ran into.
  func reject(_ reason: String) { rejections.withLock { $0[reason, default: 0] += 1 } }

  /// What stands before the samples of a name.
  static func begin(_ name: String, _ help: String, _ type: String, in text: inout String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  /// `gauges` are what is so at the moment.
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
    begin("martlet_commits_total", "Commits, a group of writes counting once.", "counter")
    text += "martlet_commits_total \(measures[.groupWrites]?.counts.reduce(0, +) ?? 0)\n"
    for counter in Counter.allCases {
      begin(counter.rawValue, counter.help, "counter")
      text += "\(counter.rawValue) \(counts[counter] ?? 0)\n"
    }
    let refused = "martlet_rejections_total"
    begin(refused, "Requests, streams and connections that were refused or given up.", "counter")
    for (reason, count) in rejections.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      text += "\(refused){reason=\"\(reason)\"} \(count)\n"
    }
    for gauge in gauges {
      begin(gauge.name, gauge.help, "gauge")
      text += "\(gauge.name) \(gauge.value)\n"
    }
    return text
  }
}
