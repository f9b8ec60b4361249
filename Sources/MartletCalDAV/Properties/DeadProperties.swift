import MartletJSON
import MartletXML

/// The properties of a list that clients have set and that the service only keeps.
struct DeadProperties {
  private var all: [XMLElement] = []

  /// The largest size of all, as XML.
  static let mostBytes = 16 << 10
  private static let root = DAVName.dav("prop")

  /// Parses what is stored.
  init(_ text: String?) {
    guard var text, let root = try? text.withUTF8({ try XMLReader.parse($0) }) else { return }
    all = root.children
  }

  subscript(name: XMLName) -> XMLElement? { all.first { $0.name == name } }

  mutating func set(_ property: XMLElement) {
    remove(property.name)
    all.append(property)
  }

  mutating func remove(_ name: XMLName) { all.removeAll { $0.name == name } }

  /// What is to be stored; `nil` without properties.
  var text: String? {
    guard !all.isEmpty else { return nil }
    let buffer = ByteBuffer(capacity: 1024)
    XMLWriter.document(DeadProperties.root, prefixes: DAVName.prefixes, into: buffer) { writer in
      for property in all { writer.copy(property) }
    }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}
