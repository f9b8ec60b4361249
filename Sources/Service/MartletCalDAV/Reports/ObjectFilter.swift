import MartletICalendar
import MartletReminders
import MartletTime
import MartletXML

/// The filter of a calendar-query (RFC 4791 section 9.7).
struct ObjectFilter {
  private indirect enum Condition {
    case component(String, isDefined: Bool, TimeRange?, [Condition])
    case property(String, isDefined: Bool, TimeRange?, TextMatch?, [Parameter])
  }

  private struct Parameter {
    let name: String
    let isDefined: Bool
    let match: TextMatch?
  }

  private let root: Condition
  /// The zone of the query for times that name none.
  let zone: ZoneInfo?

  /// Reads the element `filter`. Throws a 403 if it is not valid.
  init(_ element: XMLElement?, zone: ZoneInfo?) throws {
    self.zone = zone
    let filters = element?.all(DAVName.caldav("comp-filter")) ?? []
    guard filters.count == 1, filters[0].attribute("name")?.uppercased() == "VCALENDAR" else {
      throw ObjectFilter.invalid("A filter begins with a comp-filter of VCALENDAR.")
    }
    guard ObjectFilter.count(filters[0]) <= ObjectFilter.mostConditions else {
      throw ObjectFilter.invalid(
        "A filter has at most \(ObjectFilter.mostConditions) conditions.")
    }
    root = try ObjectFilter.component(filters[0])
  }

  /// Each is checked for each reminder.
  private static let mostConditions = 100

  private static func count(_ element: XMLElement) -> Int {
    element.children.reduce(1) { $0 + count($1) }
  }

  private static func component(_ element: XMLElement) throws -> Condition {
    guard let name = element.attribute("name")?.uppercased() else {
      throw invalid("A comp-filter needs a name.")
    }
    let isDefined = element.first(DAVName.caldav("is-not-defined")) == nil
    let inner =
      try element.all(DAVName.caldav("comp-filter")).map { try component($0) }
      + element.all(DAVName.caldav("prop-filter")).map { try property($0) }
    return .component(name, isDefined: isDefined, try span(element), inner)
  }

  private static func property(_ element: XMLElement) throws -> Condition {
    guard let name = element.attribute("name")?.uppercased() else {
      throw invalid("A prop-filter needs a name.")
    }
    let isDefined = element.first(DAVName.caldav("is-not-defined")) == nil
    let parameters = try element.all(DAVName.caldav("param-filter")).map { inner in
      guard let name = inner.attribute("name")?.uppercased() else {
        throw invalid("A param-filter needs a name.")
      }
      return Parameter(
        name: name, isDefined: inner.first(DAVName.caldav("is-not-defined")) == nil,
        match: try inner.first(DAVName.caldav("text-match")).map { try TextMatch($0) })
    }
    return .property(
      name, isDefined: isDefined, try span(element),
      try element.first(DAVName.caldav("text-match")).map { try TextMatch($0) }, parameters)
  }

  private static func span(_ element: XMLElement) throws -> TimeRange? {
    try element.first(DAVName.caldav("time-range")).map { try TimeRange($0) }
  }

  fileprivate static func invalid(_ detail: String) -> any Error {
    DAVError.refusal(.forbidden, DAVName.caldav("valid-filter"), detail)
  }

  /// The result for all to-dos, without looking at one: all match, or none; `nil` if they have to
  /// be read.
  var verdict: Bool? {
    guard case .component(_, let isDefined, let span, let inner) = root else { return nil }
    guard isDefined else { return false }
    guard span == nil else { return nil }
    if inner.isEmpty { return true }
    var isSure = true
    for condition in inner {
      switch condition {
      case .component("VTODO", isDefined: true, nil, let inner) where inner.isEmpty: continue
      case .component("VTODO", isDefined: true, _, _): isSure = false
      case .component("VTIMEZONE", _, _, _), .property: isSure = false
      // Another component is never there.
      case .component("VTODO", isDefined: false, _, _): return false
      case .component(_, let isDefined, _, _): if isDefined { return false }
      }
    }
    return isSure ? true : nil
  }

  /// Whether a text matches. `goOn` is called for each component and condition, and throws if the
  /// answer is not wanted any more.
  ///
  /// - Parameter zone: The zone of times that name none.
  func matches(_ text: String, zone: ZoneInfo, _ goOn: () throws -> Void) throws -> Bool {
    if let verdict { return verdict }
    guard let calendar = CalendarComponent(parsing: text) else { return false }
    return try matches(
      root, in: [Node(calendar, nil, Zones(of: calendar, house: zone))], goOn)
  }

  /// The zones that a text defines, for all its components.
  private final class Zones {
    lazy var all = CalendarZones(of: calendar, house: house)
    private let calendar: CalendarComponent
    let house: ZoneInfo

    init(of calendar: CalendarComponent, house: ZoneInfo) {
      self.calendar = calendar
      self.house = house
    }
  }

  /// A property of a component. Many conditions can ask for its time.
  private final class Line {
    let line: ContentLine
    private let zones: Zones
    private(set) lazy var time = TodoTimes.instant(of: line, in: &zones.all, house: zones.house)

    init(_ line: ContentLine, _ zones: Zones) {
      self.line = line
      self.zones = zones
    }
  }

  /// A component of a text. Many conditions can ask for its times.
  private final class Node {
    let component: CalendarComponent
    let zones: Zones
    private unowned let parent: Node?
    private lazy var lines = Dictionary(
      grouping: component.properties.map { Line($0, zones) }, by: \.line.name)
    private(set) lazy var nodes = component.components.map { Node($0, self, zones) }
    /// When the to-do is that it is, or is in.
    private(set) lazy var times: TodoTimes? =
      component.name == "VTODO"
      ? TodoTimes(component, in: &zones.all, house: zones.house) : parent?.times

    init(_ component: CalendarComponent, _ parent: Node?, _ zones: Zones) {
      self.component = component
      self.parent = parent
      self.zones = zones
    }

    func lines(_ name: String) -> [Line] { lines[name] ?? [] }
  }

  private func matches(
    _ condition: Condition, in nodes: [Node], _ goOn: () throws -> Void
  ) throws -> Bool {
    guard case .component(let name, let isDefined, let span, let inner) = condition else {
      return false
    }
    let named = nodes.filter { $0.component.name == name }
    guard isDefined else { return named.isEmpty }
    return try named.contains { node in
      try goOn()
      if let span, !overlaps(node, span) { return false }
      return try inner.allSatisfy { condition in
        try goOn()
        switch condition {
        case .component:
          return try matches(condition, in: node.nodes, goOn)
        case .property(let name, let isDefined, let span, let match, let parameters):
          return matches(node.lines(name), isDefined, span, match, parameters)
        }
      }
    }
  }

  private func overlaps(_ node: Node, _ span: TimeRange) -> Bool {
    switch node.component.name {
    case "VTODO": node.times?.overlaps(span.from, span.to) ?? false
    case "VALARM": node.times?.rings(node.component.properties, span.from, span.to) ?? false
    default: true
    }
  }

  private func matches(
    _ lines: [Line], _ isDefined: Bool, _ span: TimeRange?, _ match: TextMatch?,
    _ parameters: [Parameter]
  ) -> Bool {
    guard isDefined else { return lines.isEmpty }
    return lines.contains { property in
      if let span {
        guard let time = property.time, span.from <= time, time < span.to
        else { return false }
      }
      let line = property.line
      if let match, !match.matches(ContentLine.text(line.value)) { return false }
      return parameters.allSatisfy { parameter in
        let value = line.parameter(parameter.name)
        guard parameter.isDefined else { return value == nil }
        guard let value else { return false }
        return parameter.match?.matches(value) ?? true
      }
    }
  }
}

/// A span of time in a filter (RFC 4791 section 9.9).
struct TimeRange {
  let from: Instant
  let to: Instant

  /// Reads an element with `start` and `end`, at least one of them.
  init(_ element: XMLElement) throws {
    func bound(_ name: String) throws -> Instant? {
      guard let text = element.attribute(name) else { return nil }
      guard text.hasSuffix("Z"), let instant = CalendarTime.instant(text, in: .utc) else {
        throw ObjectFilter.invalid(
          "\(name) must be a time in UTC, such as 20270131T093000Z, from the year 0001 on.")
      }
      return instant
    }
    let (start, end) = (try bound("start"), try bound("end"))
    guard start != nil || end != nil else {
      throw ObjectFilter.invalid("A time range needs a start or an end.")
    }
    (from, to) = (start ?? .earliest, end ?? .latest)
    guard from < to else {
      throw ObjectFilter.invalid("The end of a time range must be after its start.")
    }
  }
}

/// A text in a filter (RFC 4791 section 9.7.5).
struct TextMatch {
  /// The collations (RFC 4790, RFC 5051).
  static let collations = ["i;ascii-casemap", "i;octet", "i;unicode-casemap"]

  private let text: [UInt8]
  /// For each place of the text, the length of its longest beginning that ends there as well.
  private let lengths: [Int]
  private let collation: String
  private let isNegated: Bool

  init(_ element: XMLElement) throws {
    let collation = element.attribute("collation") ?? TextMatch.collations[0]
    guard TextMatch.collations.contains(collation) else {
      throw DAVError.refusal(
        .forbidden, DAVName.caldav("supported-collation"),
        "The supported collations are \(TextMatch.collations.joined(separator: ", ")).")
    }
    self.collation = collation
    isNegated = element.attribute("negate-condition") == "yes"
    text = TextMatch.key(element.text, collation)
    lengths = TextMatch.lengths(text)
  }

  func matches(_ value: String) -> Bool {
    isPart(of: TextMatch.key(value, collation)) != isNegated
  }

  private static func key(_ text: String, _ collation: String) -> [UInt8] {
    switch collation {
    case "i;octet": Array(text.utf8)
    case "i;unicode-casemap": Array(text.lowercased().utf8)
    default: text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
    }
  }

  // Knuth, Morris, Pratt: linear time for any two texts that a client may send.

  private static func lengths(_ text: [UInt8]) -> [Int] {
    var lengths = [0]
    lengths.reserveCapacity(text.count)
    for byte in text.dropFirst() {
      lengths.append(length(text, lengths, lengths[lengths.count - 1], byte))
    }
    return lengths
  }

  /// The length of the longest beginning of the text that ends with a byte, after one of `known`.
  private static func length(_ text: [UInt8], _ lengths: [Int], _ known: Int, _ next: UInt8) -> Int
  {
    var length = known
    while length > 0, length == text.count || text[length] != next {
      length = lengths[length - 1]
    }
    return text[length] == next ? length + 1 : length
  }

  private func isPart(of value: [UInt8]) -> Bool {
    guard !text.isEmpty else { return true }
    guard value.count >= text.count else { return false }
    var found = 0
    for byte in value {
      found = TextMatch.length(text, lengths, found, byte)
      if found == text.count { return true }
    }
    return false
  }
}
