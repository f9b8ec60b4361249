import CMartletExpat
import Glibc

/// Parses small documents with libexpat, within bounds.
///
/// A document type is refused where it begins, so there are no entities but the five of XML. The
/// text is UTF-8, whatever the declaration says.
public enum XMLReader {
  /// The largest document, in bytes.
  public static let mostBytes = 1 << 20
  /// How deep elements may be nested.
  public static let mostLevels = 32
  /// The largest number of elements.
  public static let mostElements = 20_000
  /// The largest number of attributes of all elements.
  static let mostAttributes = 20_000
  /// The largest number of declarations of namespaces. Each costs the parser the more, the more are
  /// in effect.
  static let mostDeclarations = 1_000
  /// The longest name of a namespace, in bytes. The parser writes it before each name.
  static let longestNamespace = 256

  /// Parses a document and returns its root element.
  package static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(XMLError) -> XMLElement {
    guard bytes.count <= mostBytes else {
      throw XMLError("The document is larger than \(mostBytes >> 20) MiB.")
    }
    guard (try? UTF8Span(validating: bytes.span)) != nil else {
      throw XMLError("The document is not UTF-8.")
    }
    // A line feed cannot be part of a name, or of a namespace: it is a space there.
    guard let parser = XML_ParserCreateNS("UTF-8", XML_Char(UInt8(ascii: "\n"))) else {
      throw XMLError("The document cannot be read now.")
    }
    defer { XML_ParserFree(parser) }
    let tree = Tree(parser)
    return try withExtendedLifetime(tree) { () throws(XMLError) in
      XML_SetUserData(parser, Unmanaged.passUnretained(tree).toOpaque())
      XML_SetElementHandler(
        parser, { keeper(of: $0)?.begin($1, $2) }, { data, _ in keeper(of: data)?.end() })
      XML_SetCharacterDataHandler(parser) { keeper(of: $0)?.add($1, Int($2)) }
      XML_SetStartNamespaceDeclHandler(parser) { keeper(of: $0)?.declare($2) }
      XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
        keeper(of: data)?.stop("A document type (DOCTYPE) is not allowed.")
      }
      let isParsed = bytes.withMemoryRebound(to: CChar.self) {
        XML_Parse(parser, $0.baseAddress, Int32($0.count), 1) == XML_STATUS_OK
      }
      if let fault = tree.fault { throw fault }
      guard isParsed, let root = tree.root else {
        let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
        throw XMLError(
          "Line \(XML_GetCurrentLineNumber(parser)) is not well-formed XML: \(reason ?? "error").")
      }
      return root
    }
  }

  /// The elements so far.
  fileprivate final class Tree {
    private let parser: XML_Parser
    private var open: [XMLElement] = []
    private var texts: [[UInt8]] = []
    private var elements = 0
    private var attributes = 0
    private var declarations = 0
    var root: XMLElement?
    var fault: XMLError?

    init(_ parser: XML_Parser) { self.parser = parser }

    func stop(_ detail: String) {
      guard fault == nil else { return }
      fault = XMLError(detail)
      XML_StopParser(parser, XML_Bool(0))
    }

    /// Called for each namespace that an element declares, before ``begin(_:_:)``.
    func declare(_ namespace: UnsafePointer<XML_Char>?) {
      declarations += 1
      guard declarations <= XMLReader.mostDeclarations else {
        return stop("The document declares more than \(XMLReader.mostDeclarations) namespaces.")
      }
      guard let namespace else { return }
      if strnlen(namespace, XMLReader.longestNamespace + 1) > XMLReader.longestNamespace {
        stop("A namespace is longer than \(XMLReader.longestNamespace) bytes.")
      }
    }

    func begin(
      _ name: UnsafePointer<XML_Char>?,
      _ given: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
      guard fault == nil, let name else { return }
      elements += 1
      guard elements <= XMLReader.mostElements else {
        return stop("The document has more than \(XMLReader.mostElements) elements.")
      }
      guard open.count < XMLReader.mostLevels else {
        return stop("Elements are nested more than \(XMLReader.mostLevels) deep.")
      }
      var element = XMLElement(Tree.name(name))
      var next = given
      while let pair = next, let key = pair[0], let value = pair[1] {
        attributes += 1
        guard attributes <= XMLReader.mostAttributes else {
          return stop("The document has more than \(XMLReader.mostAttributes) attributes.")
        }
        element.attributes[Tree.name(key)] = String(cString: value)
        next = pair + 2
      }
      open.append(element)
      texts.append([])
    }

    func add(_ text: UnsafePointer<XML_Char>?, _ count: Int) {
      guard fault == nil, let text, !texts.isEmpty else { return }
      UnsafeBufferPointer(start: text, count: count).withMemoryRebound(to: UInt8.self) {
        texts[texts.count - 1].append(contentsOf: $0)
      }
    }

    func end() {
      guard fault == nil, var element = open.popLast(), let text = texts.popLast() else { return }
      element.text = String(decoding: text, as: UTF8.self)
      if open.isEmpty {
        root = element
      } else {
        open[open.count - 1].children.append(element)
        open[open.count - 1].places.append(texts[texts.count - 1].count)
      }
    }

    /// `namespace\nlocal`, or `local`.
    private static func name(_ text: UnsafePointer<XML_Char>) -> XMLName {
      let text = String(cString: text)
      guard let mark = text.utf8.lastIndex(of: 0x0A) else { return XMLName("", text) }
      return XMLName(String(text[..<mark]), String(text[text.utf8.index(after: mark)...]))
    }
  }
}

/// The tree that the parser builds. Not a method, because C calls closures without a context.
private func keeper(of data: UnsafeMutableRawPointer?) -> XMLReader.Tree? {
  data.map { Unmanaged<XMLReader.Tree>.fromOpaque($0).takeUnretainedValue() }
}

/// Why a document was refused.
public struct XMLError: Error, Equatable, Sendable {
  /// The fault as a sentence.
  public let detail: String

  init(_ detail: String) { self.detail = detail }
}
