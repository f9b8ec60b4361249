import MartletQueryBuilder
import MartletSQLite

/// Rows grouped into sections, such as a list by category or the days of a calendar.
///
/// ```swift
/// let sections = try Reminder.order(by: \.title).fetchAll(db, sectionBy: \.category)
/// for section in sections {
///   print(section.name ?? "none")
///   for reminder in section { print(reminder.title) }
/// }
/// ```
/// ```sql
/// SELECT …, "reminders"."category" FROM "reminders"
/// ORDER BY "reminders"."category", "reminders"."title"
/// ```
///
/// It is a collection of its sections, none of which is empty.
public struct ResultsSectionCollection<Element, SectionName: Hashable>: RandomAccessCollection {
  private var sections: [ResultsSection<Element, SectionName>] = []
  private var positions: [SectionName: Int] = [:]

  /// Creates a collection without sections.
  public init() {}

  public var startIndex: Int { 0 }
  public var endIndex: Int { sections.count }
  /// The section at a position.
  public subscript(position: Int) -> ResultsSection<Element, SectionName> { sections[position] }

  /// The section with a name; `nil` if no row has it.
  public subscript(sectionName name: SectionName) -> ResultsSection<Element, SectionName>? {
    positions[name].map { sections[$0] }
  }

  /// The rows of all sections, in order.
  public var elements: [Element] { sections.flatMap(\.elements) }

  mutating func append(_ element: Element, to name: SectionName) {
    // Values that differ in SQL may be equal in Swift and need not be adjacent.
    if let position = positions[name] {
      sections[position].elements.append(element)
    } else {
      positions[name] = sections.count
      sections.append(ResultsSection(name: name, elements: [element]))
    }
  }
}

/// The rows of one section.
public struct ResultsSection<Element, SectionName: Hashable>: RandomAccessCollection, Identifiable {
  /// The value that the section's rows have in common.
  public let name: SectionName
  fileprivate(set) var elements: [Element]

  /// The section's ``name``, which is unique in a collection.
  public var id: SectionName { name }
  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }
  /// The row at a position.
  public subscript(position: Int) -> Element { elements[position] }
}

extension ResultsSection: Equatable where Element: Equatable {}
extension ResultsSection: Hashable where Element: Hashable {}
extension ResultsSection: Sendable where Element: Sendable, SectionName: Sendable {}
extension ResultsSectionCollection: Equatable where Element: Equatable {}
extension ResultsSectionCollection: Hashable where Element: Hashable {}
extension ResultsSectionCollection: Sendable where Element: Sendable, SectionName: Sendable {}

extension Select where Picked == () {
  /// Returns all rows in sections, ordered by the section first. A limit counts rows in that order.
  public func fetchAll<E: QueryExpressible>(
    _ db: Connection, sectionBy section: (Scope) -> E
  ) throws -> ResultsSectionCollection<Output, E.QueryValue.QueryOutput>
  where E.QueryValue.QueryOutput: Hashable {
    var sections = ResultsSectionCollection<Output, E.QueryValue.QueryOutput>()
    try sectioned(by: section).fetch(db) { sections.append($0.0, to: $0.1) }
    return sections
  }
}

extension Table {
  /// Returns all rows of the table in sections, ordered by the section.
  public static func fetchAll<E: QueryExpressible>(
    _ db: Connection, sectionBy section: (TableColumns) -> E
  ) throws -> ResultsSectionCollection<Self, E.QueryValue.QueryOutput>
  where E.QueryValue.QueryOutput: Hashable {
    try all.fetchAll(db, sectionBy: section)
  }
}
