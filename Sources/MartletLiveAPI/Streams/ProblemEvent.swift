import MartletHTTP
import MartletJSON

extension Context {
  /// The event that tells all who follow a query of its failure. It has an id of its own: those of their requests are
  /// their clients'.
  @Sendable func sharedEvent(of error: any Error) -> EventFrame { event(of: error, ids.next()) }

  /// The event that tells of a failure; in a stream of several queries with the name of the one.
  func event(of error: any Error, _ id: String, query: String? = nil) -> EventFrame {
    var document = problem(of: error, id).document(instance: id)
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
  /// The document as text.
  var text: String {
    let buffer = ByteBuffer(capacity: 256)
    write(to: buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}
