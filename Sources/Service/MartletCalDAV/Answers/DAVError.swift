import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletXML

/// A refusal with the precondition that was not met (RFC 4918 section 16).
enum DAVError {
  /// A refusal with a status, a precondition and a sentence for people. `href` is the resource that
  /// the request conflicts with.
  static func refusal(
    _ status: Status, _ condition: XMLName?, _ detail: String, href: String? = nil
  ) -> ExchangeRefusal {
    let body = ByteBuffer(capacity: 512)
    XMLWriter.document(DAVName.dav("error"), prefixes: DAVName.prefixes, into: body) { writer in
      if let condition {
        if let href {
          writer.element(condition) { $0.href(href) }
        } else {
          writer.empty(condition)
        }
      }
      // Each child in the namespace of WebDAV is a condition (RFC 4918 section 14.5).
      writer.element(XMLName(DAVName.martlet, "detail"), detail)
    }
    return ExchangeRefusal(
      Response(status, DAVAnswer.fields(xml: true), body: .shared(body.share())))
  }

  /// The key may only read.
  static let needsWrite = refusal(
    .forbidden, DAVName.dav("need-privileges"), "This needs a key with the scope write.")
  /// The key is limited to some lists.
  static let needsAll = refusal(
    .forbidden, DAVName.dav("need-privileges"),
    "This key is limited to some lists and cannot make one.")
  static let noList = refusal(.conflict, nil, "There is no such list.")
  static let notThere = refusal(.notFound, nil, "There is nothing at this path.")
  static let mismatch = refusal(
    .preconditionFailed, nil, "If-Match, If-None-Match or If does not hold for the current state.")

  static func badRequest(_ detail: String) -> ExchangeRefusal {
    refusal(.badRequest, nil, detail)
  }
}

/// The header fields of answers.
enum DAVAnswer {
  private static let classes = "1, 3, calendar-access, extended-mkcol"

  static func fields(xml: Bool = false) -> Fields {
    var fields = Fields([
      "DAV": classes, "Cache-Control": "no-cache",
      "X-Content-Type-Options": "nosniff",
    ])
    if xml { fields.append("Content-Type", "application/xml; charset=utf-8") }
    return fields
  }

  static func empty(_ status: Status) -> Response { Response(status, fields()) }
}

/// The names of WebDAV and CalDAV.
enum DAVName {
  static let dav = "DAV:"
  static let caldav = "urn:ietf:params:xml:ns:caldav"
  static let server = "http://calendarserver.org/ns/"
  static let apple = "http://apple.com/ns/ical/"

  static let martlet = "urn:martlet"

  /// The prefixes that each document declares.
  static let prefixes = [dav: "D", caldav: "C", server: "CS", apple: "A", martlet: "M"]

  static func dav(_ name: String) -> XMLName { XMLName(dav, name) }
  static func caldav(_ name: String) -> XMLName { XMLName(caldav, name) }
}
