/// The name of an element or an attribute: a namespace, which can be empty, and a local name.
public struct XMLName: Hashable, Sendable {
  /// The namespace, such as `DAV:`.
  public let namespace: String
  /// The name in the namespace.
  public let local: String

  /// Makes a name.
  public init(_ namespace: String, _ local: String) {
    self.namespace = namespace
    self.local = local
  }

  /// Names are compared by code points. A `String` also equals one with other code points of the
  /// same meaning (https://www.w3.org/TR/xml/#dt-match).
  public static func == (left: XMLName, right: XMLName) -> Bool {
    left.local.utf8.elementsEqual(right.local.utf8)
      && left.namespace.utf8.elementsEqual(right.namespace.utf8)
  }
}

extension XMLName {
  /// The namespace of the prefix `xml`, which no document declares
  /// (https://www.w3.org/TR/xml-names/#ns-decl).
  static let reserved = "http://www.w3.org/XML/1998/namespace"
  /// The name of the attribute `xml:lang`, the language of an element and of what is in it.
  public static let language = XMLName(reserved, "lang")
}

extension XMLName: CustomStringConvertible {
  /// `{namespace}local`.
  public var description: String { "{\(namespace)}\(local)" }
}
