import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletSQLite
import MartletXML

/// Writes a property, or its value.
typealias PropertyWriter = (XMLWriter) -> Void

/// A resource with properties.
protocol DAVResource {
  /// Its path, percent-encoded.
  var href: String { get }
  /// The names of the properties that `propname` shows.
  var names: [XMLName] { get }
  /// The value of a property; `nil` if it has none.
  func value(_ name: XMLName) throws -> PropertyWriter?
  /// A property that a client has set and that is only kept, with its attributes.
  func kept(_ name: XMLName) -> XMLElement?
}

extension DAVResource {
  func kept(_ name: XMLName) -> XMLElement? { nil }
}

/// Writes a 207 (RFC 4918 section 13).
struct Multistatus {
  private let writer: XMLWriter
  private let buffer: ByteBuffer
  /// Takes what has been written so far. Called before each response.
  private let goOn: Download.Progress?
  private let tally = Tally()
  /// The usual length of a response for an object, without and with its text.
  private static let usual = (bare: 200, full: 800)
  /// After how many objects the length of the rest is estimated from what these took.
  private static let sample = 50

  /// The objects of an answer: how many there are, and how many are done.
  private final class Tally {
    var (all, done) = (0, 0)
  }

  /// Says how many objects are to come. A large answer is begun at once where it is written to its
  /// end, so that it is not made twice.
  ///
  /// - Parameter wanted: The properties of each; `nil` if not each has a response.
  func expect(_ objects: Int, _ wanted: WantedProperties?) throws {
    tally.all = objects
    guard let wanted else { return }
    let length = wanted.calendarData == nil ? Multistatus.usual.bare : Multistatus.usual.full
    try goOn?.expect(bytes: objects * length)
  }

  /// Goes on to the next object. Throws if the client has disconnected.
  func next() throws {
    tally.done += 1
    if tally.done == Multistatus.sample, tally.all > tally.done {
      try goOn?.expect(bytes: buffer.count / tally.done * (tally.all - tally.done))
    }
    try goOn?()
  }

  /// Throws if the client has disconnected.
  func check() throws { try goOn?() }

  /// A small one.
  static func response(_ body: (Multistatus) throws -> Void) rethrows -> Response {
    let buffer = ByteBuffer(capacity: 4096)
    try write(into: buffer, nil, body)
    return Response(.multiStatus, DAVAnswer.fields(xml: true), body: .shared(buffer.share()))
  }

  /// One with a response for each of many resources, which is not held in memory.
  static func document(
    _ body: @escaping @Sendable (Connection, Multistatus) throws -> Void
  ) -> ExchangeRoute.Work {
    var fields = DAVAnswer.fields(xml: true)
    fields.append("Vary", "Accept-Encoding")
    return .document(
      Download(.multiStatus, prepare: { [fields] _ in fields }) { db, buffer, goOn in
        try write(into: buffer, goOn) { try body(db, $0) }
      })
  }

  static func write(
    into buffer: ByteBuffer, _ goOn: Download.Progress?,
    _ body: (Multistatus) throws -> Void
  ) rethrows {
    try XMLWriter.document(
      DAVName.dav("multistatus"), prefixes: DAVName.prefixes, into: buffer
    ) { try body(Multistatus(writer: $0, buffer: buffer, goOn: goOn)) }
  }

  /// Writes the properties of a resource that are asked for.
  func write(_ resource: some DAVResource, _ wanted: WantedProperties) throws {
    try check()
    var missing: [XMLName] = []
    var found: [PropertyWriter] = []
    let isNamesOnly = wanted.isNamesOnly
    for name in wanted.names(of: resource) {
      if let property = resource.kept(name) {
        found.append { isNamesOnly ? $0.empty(name) : $0.copy(property) }
      } else if let value = try resource.value(name) {
        found.append { isNamesOnly ? $0.empty(name) : $0.element(name, value) }
      } else {
        missing.append(name)
      }
    }
    writer.element(DAVName.dav("response")) { writer in
      writer.href(resource.href)
      if !found.isEmpty || missing.isEmpty || wanted.isMinimal {
        Multistatus.group("200 OK", writer) { writer in
          for property in found { property(writer) }
        }
      }
      if !missing.isEmpty, !wanted.isMinimal {
        Multistatus.group("404 Not Found", writer) { writer in
          for name in missing { writer.empty(name) }
        }
      }
    }
  }

  private static func group(
    _ status: String, _ writer: XMLWriter, _ body: (XMLWriter) -> Void
  ) {
    writer.element(DAVName.dav("propstat")) { writer in
      writer.element(DAVName.dav("prop"), body)
      writer.element(DAVName.dav("status"), "HTTP/1.1 \(status)")
    }
  }

  /// Writes what became of each property that was to be set.
  func write(_ href: String, _ results: [(name: XMLName, status: String)]) {
    writer.element(DAVName.dav("response")) { writer in
      writer.href(href)
      for status in Set(results.map(\.status)).sorted() {
        Multistatus.group(status, writer) { writer in
          for result in results where result.status == status { writer.empty(result.name) }
        }
      }
    }
  }

  /// Writes the status of a resource. Some clients know only 404 and 507 here.
  func write(_ href: String, status: String, _ condition: XMLName? = nil) {
    writer.element(DAVName.dav("response")) { writer in
      writer.href(href)
      writer.element(DAVName.dav("status"), "HTTP/1.1 \(status)")
      if let condition { writer.element(DAVName.dav("error")) { $0.empty(condition) } }
    }
  }

  static let notFound = "404 Not Found"
  static let cut = "507 Insufficient Storage"

  func write(_ token: String) { writer.element(DAVName.dav("sync-token"), token) }
}

extension XMLWriter {
  /// Writes an element with a path.
  func href(_ path: String) { element(DAVName.dav("href"), path) }
}
