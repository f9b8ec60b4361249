import MartletJSON
import MartletXML

/// The properties of a list that clients have set and that the service only keeps.
struct DeadProperties: Equatable {
  private var all: [XMLName: XMLElement] = [:]

  /// The largest size of all, as XML.
  static let mostBytes = 16 << 10
  private static let root = DAVName.dav("prop")

  /// Parses what is stored. Throws if it cannot be read: what it says would be lost with the next
  /// change.
  init(_ text: String?) throws {
    guard var text else { return }
    for property in try text.withUTF8({ try XMLReader.parse($0) }).children { set(property) }
  }

  /// The names, in the order in which they are stored.
  var names: [XMLName] { sorted.map(\.name) }

  private var sorted: [XMLElement] {
    all.values.sorted {
      ($0.name.namespace, $0.name.local) < ($1.name.namespace, $1.name.local)
    }
  }

  subscript(name: XMLName) -> XMLElement? { all[name] }

  mutating func set(_ property: XMLElement) { all[property.name] = property }

  mutating func remove(_ name: XMLName) { all[name] = nil }

  /// The text that is stored; `nil` without properties.
  var text: String? {
    guard !all.isEmpty else { return nil }
    let buffer = ByteBuffer(capacity: 1024)
    XMLWriter.document(DeadProperties.root, prefixes: DAVName.prefixes, into: buffer) { writer in
      for property in sorted { writer.copy(property) }
    }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}
