import MartletHTTP
import Synchronization

/// The number of requests by route, method and status, and their durations.
final class RequestMetrics: Sendable {
  private struct Target: Hashable {
    var route: String
    var method: Method
  }

  private struct Answers {
    var byStatus: [(status: UInt16, count: Int)] = []
    var times = Histogram.times

    mutating func add(_ status: UInt16, _ duration: Duration) {
      times.add(duration)
      if let known = byStatus.firstIndex(where: { $0.status == status }) {
        byStatus[known].count += 1
      } else {
        byStatus.append((status, 1))
      }
    }
  }

  private let answers = Mutex<[Target: Answers]>([:])

  /// Counts a finished request.
  func add(_ finished: FinishedRequest) {
    // Unknown paths share one label, because their number is unbounded.
    let target = Target(route: finished.request.route ?? "none", method: finished.request.method)
    answers.withLock {
      $0[target, default: Answers()].add(
        finished.status.rawValue, finished.duration)
    }
  }

  /// Appends the samples.
  func write(to text: inout String) {
    let answers = answers.withLock { $0 }.sorted {
      ($0.key.route, $0.key.method.name) < ($1.key.route, $1.key.method.name)
    }
    var name = "martlet_requests_total"
    Metrics.begin(name, "Requests by route, method and status.", "counter", in: &text)
    for (target, answer) in answers {
      for (status, count) in answer.byStatus.sorted(by: { $0.status < $1.status }) {
        text += "\(name){\(labels(target))status=\"\(status)\"} \(count)\n"
      }
    }
    name = "martlet_request_seconds"
    Metrics.begin(
      name, "Time from a complete request to its response, or to the head of its stream.",
      "histogram",
      in: &text)
    for (target, answer) in answers { answer.times.write(name, labels(target), to: &text) }
  }

  private func labels(_ target: Target) -> String {
    "route=\"\(target.route)\",method=\"\(target.method.name)\","
  }
}
