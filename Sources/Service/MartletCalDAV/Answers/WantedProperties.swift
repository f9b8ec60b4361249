import MartletHTTP
import MartletXML

/// The properties that a request asks for.
struct WantedProperties {
  private enum Kind {
    case all([XMLName])
    case names
    case some([XMLName])
  }

  private let kind: Kind
  /// Whether the answer leaves out the properties that a resource does not have (RFC 8144, and
  /// `Brief` of older clients).
  let isMinimal: Bool
  /// The element `calendar-data`, which says what of the text is wanted.
  private(set) var calendarData: XMLElement?

  var isNamesOnly: Bool { if case .names = kind { true } else { false } }

  /// The largest number of names, and of their bytes. Each is in the response of each resource.
  private static let mostNames = 200
  private static let mostBytes = 16 << 10

  /// The names of a body with `prop`, `allprop` or `propname` inside. Without one it is `allprop`.
  /// Throws a 400 if there are too many.
  init(_ body: XMLElement?, _ request: Request) throws {
    let prefer = request.fields.list("Prefer")?.lowercased() ?? ""
    isMinimal =
      prefer.contains("return=minimal") || request.fields["Brief"]?.lowercased() == "t"
    if let prop = body?.first(DAVName.dav("prop")) {
      calendarData = prop.first(DAVName.caldav("calendar-data"))
      kind = .some(try WantedProperties.names(in: prop))
    } else if body?.first(DAVName.dav("propname")) != nil {
      kind = .names
    } else {
      kind = .all(try body?.first(DAVName.dav("include")).map { try Self.names(in: $0) } ?? [])
    }
  }

  private static func names(in element: XMLElement) throws -> [XMLName] {
    var seen: Set<XMLName> = []
    let names = element.children.map(\.name).filter { seen.insert($0).inserted }
    guard names.count <= mostNames else {
      throw DAVError.badRequest("A request asks for at most \(mostNames) properties.")
    }
    let bytes = names.reduce(0) { $0 + $1.namespace.utf8.count + $1.local.utf8.count }
    guard bytes <= mostBytes else {
      throw DAVError.badRequest(
        "The names of the properties have more than \(mostBytes >> 10) KiB together.")
    }
    return names
  }

  func names(of resource: some DAVResource) -> [XMLName] {
    switch kind {
    case .all(let others):
      // Without those of CalDAV (RFC 4791 section 5.2).
      let names = resource.names.filter { $0.namespace != DAVName.caldav }
      let known = Set(names)
      return names + others.filter { !known.contains($0) }
    case .names: return resource.names
    case .some(let names): return names
    }
  }
}
