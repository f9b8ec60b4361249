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

extension XMLName: CustomStringConvertible {
  /// `{namespace}local`.
  public var description: String { "{\(namespace)}\(local)" }
}
