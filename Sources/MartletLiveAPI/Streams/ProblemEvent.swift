import MartletHTTP
import MartletJSON

extension Context {
  /// The event for a failed query that goes to all its subscribers. It has a new request ID,
  /// because the IDs of the subscribers' requests belong to their clients.
  @Sendable func sharedEvent(of error: any Error) -> EventFrame { event(of: error, ids.next()) }

  /// The event for a failure. In a stream of several queries it names the query.
  func event(of error: any Error, _ id: String, query: String? = nil) -> EventFrame {
    var document = problem(of: error, id).document(instance: id, realm: settings.realm)
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

extension Problem {
  /// The document as a JSON text.
  var text: String {
    let buffer = ByteBuffer(capacity: 256)
    write(to: buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}
