import Synchronization

/// A query that is printed once and run often, with other values each time.
///
/// ```swift
/// static let byID = PreparedQuery<Int> { id in Reminder.find(id) }
/// try db.writeJSONObject(byID(7), into: body)
/// // SELECT … FROM "reminders" WHERE ("reminders"."id" = ?)
/// ```
/// Building and printing a query takes longer than SQLite takes to find a row by its key.
public final class PreparedQuery<each Value: ColumnRepresentation>: Sendable {
  private let template: PrintedQuery
  private let fragment: QueryFragment
  private let isEmpty: Bool

  /// `build` is called once, with an expression for each value to come.
  public convenience init(
    _ build: (repeat SQLQueryExpression<each Value>) -> some Statement
  ) {
    self.init(query: { (values: repeat SQLQueryExpression<each Value>) in
      build(repeat each values).query
    })
  }

  /// As ``init(_:)``, of a statement's query.
  public init(query build: (repeat SQLQueryExpression<each Value>) -> Query) {
    var count = 0
    func next<V: ColumnRepresentation>(_: V.Type) -> SQLQueryExpression<V> {
      defer { count += 1 }
      return SQLQueryExpression(QueryFragment(parameter: count))
    }
    let query = build(repeat next((each Value).self))
    template = PrintedQuery(query)
    fragment = query.fragment
    isEmpty = query.isEmpty
  }

  /// The query with these values.
  public func callAsFunction(_ values: repeat (each Value).QueryOutput) -> Query {
    var given: [QueryBinding] = []
    for (type, value) in repeat ((each Value).self, each values) { given.append(type.bind(value)) }
    var query = Query(fragment, columns: template.columns, isEmpty: isEmpty)
    query.printed = template
    query.values = template.slots.map { slot in
      switch slot {
      case .value(let binding): binding
      case .parameter(let index): given[index]
      }
    }
    return query
  }
}

/// A query's text, and what is bound where.
public final class PrintedQuery: Sendable {
  enum Slot: Sendable {
    case value(QueryBinding)
    case parameter(Int)
  }

  public let sql: String
  /// The text's `hashValue`: to find its statement is otherwise the longest part of running it.
  public let hash: Int
  public let requirements: [Requirement]
  let columns: [ResultColumn]
  let slots: [Slot]
  /// What the driver has worked out for this query, kept with it.
  private let note = Mutex<(any AnyObject & Sendable)?>(nil)

  init(_ query: Query) {
    let prepared = query.fragment.prepare()
    sql = prepared.sql
    hash = sql.hashValue
    requirements = prepared.requirements
    columns = query.columns
    slots = query.fragment.slots
  }

  /// The driver's note of this class; made by `make` the first time.
  public func note<T: AnyObject & Sendable>(_ make: () -> T) -> T {
    note.withLock { note in
      if let known = note as? T { return known }
      let made = make()
      note = made
      return made
    }
  }
}

extension QueryFragment {
  /// The bindings and parameters in the order of their question marks.
  fileprivate var slots: [PrintedQuery.Slot] {
    segments.compactMap { segment in
      switch segment {
      case .binding(let binding): .value(binding)
      case .parameter(let index): .parameter(index)
      case .sql, .column, .requirement, .function: nil
      }
    }
  }

  /// With the values of its question marks, in order.
  func filled(with values: [QueryBinding]) -> QueryFragment {
    var rest = values[...]
    var filled = self
    filled.segments = segments.map { segment in
      switch segment {
      case .binding, .parameter: rest.popFirst().map { .binding($0) } ?? segment
      case .sql, .column, .requirement, .function: segment
      }
    }
    return filled
  }

  fileprivate init(parameter index: Int) {
    self.init()
    segments = [.parameter(index)]
  }
}
