import MartletJSON
import Testing

@testable import MartletXML

@Suite struct XMLTests {
  private func parse(_ text: String) throws -> XMLElement {
    var text = text
    return try text.withUTF8 { try XMLReader.parse($0) }
  }

  private func fault(_ text: String) -> String? {
    do {
      _ = try parse(text)
      return nil
    } catch {
      return (error as? XMLError)?.detail
    }
  }

  @Test func namespacesAndTexts() throws {
    let root = try parse(
      #"""
      <?xml version="1.0" encoding="UTF-8"?>
      <A:propfind xmlns:A="DAV:"><A:prop><B:color xmlns:B="urn:b" x="1">a &amp; &#228;<A:c/>b</B:color></A:prop></A:propfind>
      """#)
    #expect(root.name == XMLName("DAV:", "propfind"))
    let color = try #require(root.first(XMLName("DAV:", "prop"))?.first(XMLName("urn:b", "color")))
    #expect(color.text == "a & äb" && color.attribute("x") == "1" && color.children.count == 1)
  }

  /// The prefix `xml` needs no declaration, and no other one can have its namespace.
  @Test func reservedNamespace() throws {
    let root = try parse(#"<a><xml:b xml:lang="de">ä<c/>ö<d>e</d></xml:b></a>"#)
    let buffer = ByteBuffer(capacity: 100)
    XMLWriter.document(XMLName("", "a"), prefixes: [:], into: buffer) { writer in
      for child in root.children { writer.copy(child) }
    }
    let text = String(decoding: buffer.bytes, as: UTF8.self)
    #expect(text.hasSuffix(#"<a><xml:b xml:lang="de">ä<c></c>ö<d>e</d></xml:b></a>"#))
    #expect(try parse(text) == root)
  }

  @Test func bounds() {
    #expect(fault("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>")?.contains("DOCTYPE") == true)
    func nested(_ count: Int) -> String {
      String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)
    }
    #expect(fault(nested(32)) == nil)
    #expect(fault(nested(33)) == "Elements are nested more than 32 deep.")
    func many(_ count: Int) -> String {
      "<a>" + String(repeating: "<b/>", count: count - 1) + "</a>"
    }
    #expect(fault(many(20_000)) == nil)
    #expect(fault(many(20_001)) == "The document has more than 20000 elements.")
    func attributes(_ count: Int) -> String {
      "<a " + (0..<count).map { "b\($0)=\"\"" }.joined(separator: " ") + "/>"
    }
    #expect(fault(attributes(20_000)) == nil)
    #expect(fault(attributes(20_001)) == "The document has more than 20000 attributes.")
    let namespaces = { (count: Int) in
      "<a \((0..<count).map { "xmlns:p\($0)='u'" }.joined(separator: " "))/>"
    }
    #expect(fault(namespaces(1_000)) == nil)
    #expect(fault(namespaces(1_001)) == "The document declares more than 1000 namespaces.")
    func long(_ count: Int) -> String {
      "<a xmlns:b = '" + String(repeating: "c", count: count) + "'/>"
    }
    #expect(fault(long(256)) == nil)
    #expect(fault(long(257)) == "A namespace is longer than 256 bytes.")
    // Wherever it stands, also where it is not used.
    let name = String(repeating: "b", count: 300)
    let value = String(repeating: "c", count: 257)
    for start in ["xmlns:b" + String(repeating: " ", count: 300), "xmlns:\(name)", "xmlns"] {
      #expect(fault("<a \(start)='\(value)'/>")?.hasPrefix("A namespace is longer") == true)
    }
    #expect(fault("<a xmlns='" + String(repeating: "&quot;", count: 256) + "'/>") == nil)
    #expect(fault("<a>xmlns='\(value)'</a>") == nil)
    let space = String(repeating: " ", count: 1 << 20)
    #expect(fault("<a/>" + space) == "The document is larger than 1 MiB.")
  }

  @Test(arguments: ["", "<a>", "<a></b>", "<a:b/>", "text", "<a/><b/>", "<a>&b;</a>", "<a \u{1}/>"])
  func malformed(_ text: String) {
    #expect(fault(text)?.contains("not well-formed") == true, "\(fault(text) ?? "accepted")")
  }

  @Test func notUTF8() {
    let bytes = Array("<a>".utf8) + [0xFF] + Array("</a>".utf8)
    #expect(throws: XMLError.self) { try bytes.withUnsafeBufferPointer { try XMLReader.parse($0) } }
  }

  @Test func namesAreCodePoints() throws {
    let root = try parse("<a e\u{301}='1' \u{E9}='2'/>")
    #expect(root.attributes.count == 2)
    #expect(XMLName("", "e\u{301}") != XMLName("", "\u{E9}"))
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    let buffer = ByteBuffer(capacity: 64)
    let name = XMLName("DAV:", "multistatus")
    let other = XMLElement(
      XMLName("urn:other", "value"), text: "1", children: [XMLElement(XMLName("", "plain"))])
    XMLWriter.document(name, prefixes: ["DAV:": "D"], into: buffer) { writer in
      writer.element(
        XMLName("DAV:", "href"), "/a?<&>\"'\r\n\tä\u{1}\u{FFFE}\u{FFFD}\u{FB00}\u{FFFF}")
      writer.copy(other)
      writer.empty(XMLName("DAV:", "comp"), [("name", "<\"")])
    }
    let root = try XMLReader.parse(buffer.bytes)
    #expect(root.name == name)
    #expect(root.children[0].text == "/a?<&>\"'\r\n\tä\u{FFFD}\u{FB00}")
    #expect(root.children[1] == other)
    #expect(root.children[2].attribute("name") == "<\"")
  }
}
