import Synchronization

/// Counters, printed in the text format that Prometheus reads.
final class Metrics: Sendable {
  enum Counter: String, CaseIterable, Sendable {
    case commits = "martlet_commits_total"
    case foreignCommits = "martlet_foreign_commits_total"
    case writeFailures = "martlet_write_failures_total"
    case liveRuns = "martlet_live_query_runs_total"
    case liveChanges = "martlet_live_query_changes_total"
    case liveFailures = "martlet_live_query_failures_total"
    case failedRequests = "martlet_failed_requests_total"

    var help: String {
      switch self {
      case .commits: "Commits, a group of writes counting once."
      case .foreignCommits: "Commits by other programs."
      case .writeFailures: "Commits that failed."
      case .liveRuns: "Runs of live queries."
      case .liveChanges: "Runs of live queries that gave another result."
      case .liveFailures: "Runs of live queries that failed."
      case .failedRequests: "Requests answered with 500 or above."
      }
    }
  }

  private let counts = Mutex<[Counter: Int]>([:])
  private let rejections = Mutex<[String: Int]>([:])

  func add(_ counter: Counter, _ more: Int = 1) {
    counts.withLock { $0[counter, default: 0] += more }
  }

  /// Something was refused or given up: a problem's type, or the limit that it ran into.
  func reject(_ reason: String) { rejections.withLock { $0[reason, default: 0] += 1 } }

  /// `gauges` are what is so at the moment.
  func text(gauges: [(name: String, help: String, value: Int)]) -> String {
    let counts = counts.withLock { $0 }
    var text = ""
    for counter in Counter.allCases {
      text += "# HELP \(counter.rawValue) \(counter.help)\n# TYPE \(counter.rawValue) counter\n"
      text += "\(counter.rawValue) \(counts[counter] ?? 0)\n"
    }
    let name = "martlet_rejections_total"
    text += "# HELP \(name) Requests, streams and connections that were refused or given up.\n"
    text += "# TYPE \(name) counter\n"
    for (reason, count) in rejections.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      text += "\(name){reason=\"\(reason)\"} \(count)\n"
    }
    for gauge in gauges {
      text += "# HELP \(gauge.name) \(gauge.help)\n# TYPE \(gauge.name) gauge\n"
      text += "\(gauge.name) \(gauge.value)\n"
    }
    return text
  }
}
