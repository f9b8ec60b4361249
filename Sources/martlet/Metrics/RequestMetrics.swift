import HTTPServer
import Synchronization

/// Requests by what they asked for and what they got.
final class RequestMetrics: Sendable {
  private struct Target: Hashable {
    var route: String
    var method: Method
  }

  private struct Answers {
    var byStatus: [(status: UInt16, count: Int)] = []
    var times = Histogram.times
  }

  private let answers = Mutex<[Target: Answers]>([:])

  func add(_ finished: FinishedRequest) {
    // Paths that are none have no end.
    let target = Target(route: finished.request.route ?? "none", method: finished.request.method)
    let status = finished.status.rawValue
    answers.withLock { answers in
      let place =
        answers.index(forKey: target)
        ?? {
          answers[target] = Answers()
          return answers.index(forKey: target)
        }()
      guard let place else { return }
      answers.values[place].times.add(nanoseconds: finished.nanoseconds)
      let known = answers.values[place].byStatus.firstIndex { $0.status == status }
      if let known {
        answers.values[place].byStatus[known].count += 1
      } else {
        answers.values[place].byStatus.append((status, 1))
      }
    }
  }

  func write(to text: inout String) {
    let answers = answers.withLock { $0 }.sorted {
      ($0.key.route, $0.key.method.name) < ($1.key.route, $1.key.method.name)
    }
    var name = "martlet_requests_total"
    text += "# HELP \(name) Requests by route, method and status.\n# TYPE \(name) counter\n"
    for (target, answer) in answers {
      for (status, count) in answer.byStatus.sorted(by: { $0.status < $1.status }) {
        text += "\(name){\(labels(target))status=\"\(status)\"} \(count)\n"
      }
    }
    name = "martlet_request_seconds"
    text += "# HELP \(name) From a complete request to its answer, or to its stream's head.\n"
    text += "# TYPE \(name) histogram\n"
    for (target, answer) in answers { answer.times.write(name, labels(target), to: &text) }
  }

  private func labels(_ target: Target) -> String {
    "route=\"\(target.route)\",method=\"\(target.method.name)\","
  }
}
