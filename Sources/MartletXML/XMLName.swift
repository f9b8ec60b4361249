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
