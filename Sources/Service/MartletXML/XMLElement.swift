/// An element of a parsed document.
public struct XMLElement: Equatable, Sendable {
  /// The name.
  public let name: XMLName
  /// The attributes, without the declarations of namespaces.
  public var attributes: [XMLName: String] = [:]
  /// The elements inside.
  public var children: [XMLElement] = []
  /// For each element inside, how many bytes of ``text`` are before it. Without them all elements
  /// are after the text.
  var places: [Int] = []
  /// The text directly inside, without that of the elements inside.
  public var text = ""

  /// Makes an element.
  public init(_ name: XMLName, text: String = "", children: [XMLElement] = []) {
    self.name = name
    self.text = text
    self.children = children
    places = children.map { _ in text.utf8.count }
  }

  /// The first element inside that has a name.
  public func first(_ name: XMLName) -> XMLElement? { children.first { $0.name == name } }

  /// The elements inside that have a name.
  public func all(_ name: XMLName) -> [XMLElement] { children.filter { $0.name == name } }

  /// The value of an attribute without a namespace.
  public func attribute(_ name: String) -> String? { attributes[XMLName("", name)] }
}
