import MartletHTTP
import MartletJSON

/// The problem of a failed query, which is reported once and goes to all its subscribers.
struct QueryProblem: Sendable {
  private let problem: APIProblem
  private let id: String
  private let realm: String

  fileprivate init(_ problem: APIProblem, _ id: String, realm: String) {
    self.problem = problem
    self.id = id
    self.realm = realm
  }

  /// The event for the failure. In a stream of several queries it names the query.
  func event(query: String? = nil) -> EventFrame {
    var document = problem.document(instance: id, realm: realm)
    if let query {
      let others = document.members
      document.members = { object in
        others?(&object)
        object.member("query", query)
      }
    }
    return Event.frame(event: "problem", data: document.text)
  }
}

extension Context {
  /// Reports the failure of a query. Its problem has a new request ID, because the IDs of the
  /// subscribers' requests belong to their clients.
  @Sendable func queryProblem(of error: any Error) -> QueryProblem {
    let id = ids.next()
    return QueryProblem(problem(of: error, id), id, realm: settings.realm)
  }
}

extension Problem {
  /// The document as a JSON text.
  var text: String {
    let buffer = ByteBuffer(capacity: 256)
    write(to: buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}
