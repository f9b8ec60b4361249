import MartletJSON

/// Writes a document into a buffer, element by element.
public struct XMLWriter {
  private let buffer: ByteBuffer
  /// The namespaces that the root element declares, with their prefixes: a few.
  private let prefixes: [(namespace: String, prefix: String)]

  /// Writes a document: the declaration, and a root element that declares `prefixes`, by namespace.
  public static func document(
    _ root: XMLName, prefixes: [String: String], into buffer: ByteBuffer,
    _ body: (XMLWriter) throws -> Void
  ) rethrows {
    let prefixes = prefixes.sorted { $0.value < $1.value }.map { ($0.key, $0.value) }
    let writer = XMLWriter(buffer: buffer, prefixes: prefixes)
    buffer.append("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n")
    buffer.append("<")
    let name = writer.begin(root)
    for (namespace, prefix) in prefixes {
      buffer.append(utf8: " xmlns:\(prefix)=\"")
      writer.escape(namespace, isAttribute: true)
      buffer.append("\"")
    }
    buffer.append(">")
    try body(writer)
    writer.close(name)
  }

  /// Writes an element and what is inside.
  public func element(_ name: XMLName, _ body: (XMLWriter) throws -> Void) rethrows {
    buffer.append("<")
    let written = begin(name)
    buffer.append(">")
    try body(self)
    close(written)
  }

  /// Writes an element with a text.
  public func element(_ name: XMLName, _ text: String) { element(name) { $0.text(text) } }

  /// Writes an element without content. The names and values of attributes have no namespace.
  public func empty(_ name: XMLName, _ attributes: [(String, String)] = []) {
    buffer.append("<")
    _ = begin(name)
    for (name, value) in attributes { attribute(name, value) }
    buffer.append("/>")
  }

  /// Writes a text.
  public func text(_ text: String) { escape(text) }

  /// Writes an element that was read.
  public func copy(_ element: XMLElement) {
    buffer.append("<")
    let name = begin(element.name)
    let attributes = element.attributes.sorted {
      ($0.key.local, $0.key.namespace) < ($1.key.local, $1.key.namespace)
    }
    for (number, (key, value)) in attributes.enumerated() {
      var name = key.local
      if key.namespace == XMLName.reserved {
        name = "xml:\(name)"
      } else if let prefix = prefix(of: key.namespace) {
        name = "\(prefix):\(name)"
      } else if !key.namespace.isEmpty {
        // Each with a prefix of its own.
        name = "x\(number):\(name)"
        attribute("xmlns:x\(number)", key.namespace)
      }
      attribute(name, value)
    }
    buffer.append(">")
    let text = element.text.utf8
    var rest = Substring(element.text)
    for (index, child) in element.children.enumerated() where index < element.places.count {
      let end =
        text.index(text.startIndex, offsetBy: element.places[index], limitedBy: text.endIndex)
        ?? text.endIndex
      escape(String(rest[..<end]))
      rest = rest[end...]
      copy(child)
    }
    escape(String(rest))
    for child in element.children.dropFirst(element.places.count) { copy(child) }
    close(name)
  }

  private func prefix(of namespace: String) -> String? {
    prefixes.first { $0.namespace == namespace }?.prefix
  }

  private func attribute(_ name: String, _ value: String) {
    buffer.append(utf8: " \(name)=\"")
    escape(value, isAttribute: true)
    buffer.append("\"")
  }

  /// The name of an element as it is written.
  private struct QualifiedName {
    let prefix: String?
    let local: String

    func write(into buffer: ByteBuffer) {
      if let prefix {
        buffer.append(utf8: prefix)
        buffer.append(":")
      }
      buffer.append(utf8: local)
    }
  }

  /// Writes the name of a start tag and returns it.
  private func begin(_ name: XMLName) -> QualifiedName {
    let isReserved = name.namespace == XMLName.reserved
    let known = isReserved ? "xml" : prefix(of: name.namespace)
    let isDeclared = known != nil || name.namespace.isEmpty
    let written = QualifiedName(prefix: isDeclared ? known : "x", local: name.local)
    written.write(into: buffer)
    if !isDeclared { attribute("xmlns:x", name.namespace) }
    return written
  }

  private func close(_ name: QualifiedName) {
    buffer.append("</")
    name.write(into: buffer)
    buffer.append(">")
  }

  /// Writes a text for content and attributes. Characters that XML cannot express are left out.
  private func escape(_ text: String, isAttribute: Bool = false) {
    var text = text
    text.withUTF8 { bytes in
      // The start of what is written as it is.
      var start = 0
      var place = 0
      while place < bytes.count {
        let byte = bytes[place]
        if byte > UInt8(ascii: ">"), byte != XMLWriter.noCharacter.0 {
          place += 1
        } else if let escaped = XMLWriter.escaped(byte, isAttribute) {
          buffer.append(UnsafeBufferPointer(rebasing: bytes[start..<place]))
          buffer.append(escaped)
          place += 1
          start = place
        } else if XMLWriter.isNoCharacter(bytes[place...]) {
          buffer.append(UnsafeBufferPointer(rebasing: bytes[start..<place]))
          place += 3
          start = place
        } else {
          place += 1
        }
      }
      buffer.append(UnsafeBufferPointer(rebasing: bytes[start...]))
    }
  }

  /// The text for a byte that cannot be written as it is.
  @inline(__always)
  private static func escaped(_ byte: UInt8, _ isAttribute: Bool) -> StaticString? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    // Readers turn it into a line feed otherwise (https://www.w3.org/TR/xml/#sec-line-ends).
    case 0x0D: "&#13;"
    // In an attribute they are spaces otherwise (section 3.3.3).
    case 0x09 where isAttribute: "&#9;"
    case 0x0A where isAttribute: "&#10;"
    case 0x09, 0x0A: nil
    case 0..<0x20: ""
    default: nil
    }
  }

  /// How U+FFFE and U+FFFF begin in UTF-8 (https://www.w3.org/TR/xml/#charsets). The third byte is
  /// 0xBE or 0xBF.
  private static let noCharacter: (UInt8, UInt8) = (0xEF, 0xBF)

  private static func isNoCharacter(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let start = bytes.startIndex
    return bytes.count >= 3 && (bytes[start], bytes[start + 1]) == noCharacter
      && bytes[start + 2] >= 0xBE
  }
}
