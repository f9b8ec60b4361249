import Synchronization

/// A query that is printed once and run many times with different values.
///
/// ```swift
/// static let byID = PreparedQuery<Int> { id in Reminder.find(id) }
/// try db.writeJSONObject(byID(7), into: body)
/// // SELECT … FROM "reminders" WHERE ("reminders"."id" = ?)
/// ```
/// Building and printing a query takes longer than SQLite needs to find a row by its key.
public final class PreparedQuery<each Value: ColumnRepresentation>: Sendable {
  private let template: PrintedQuery
  private let fragment: QueryFragment
  private let isEmpty: Bool

  /// Prepares a statement. `build` is called once, with a placeholder expression for each value.
  public convenience init(
    _ build: (repeat SQLQueryExpression<each Value>) -> some Statement
  ) {
    self.init(query: { (values: repeat SQLQueryExpression<each Value>) in
      build(repeat each values).query
    })
  }

  /// Prepares a ``Query``. `build` is called once, with a placeholder expression for each value.
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

  /// The query with these values bound.
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

/// The printed text of a query, with a slot for each of its `?` parameters.
public final class PrintedQuery: Sendable {
  enum Slot: Sendable {
    case value(QueryBinding)
    case parameter(Int)
  }

  /// The SQL text.
  public let sql: String
  /// The `hashValue` of ``sql``, computed once. Hashing the text would otherwise take most of the
  /// time of looking up its cached statement.
  public let hash: Int
  /// The SQLite versions that parts of the query need.
  public let requirements: [Requirement]
  let columns: [ResultColumn]
  let slots: [Slot]
  /// An object that the driver caches with this query.
  private let note = Mutex<(any AnyObject & Sendable)?>(nil)

  init(_ query: Query) {
    let prepared = query.fragment.prepare()
    sql = prepared.sql
    hash = sql.hashValue
    requirements = prepared.requirements
    columns = query.columns
    slots = query.fragment.slots
  }

  /// The driver's cached object of this class. `make` creates it on first use.
  ///
  /// There is one object per query: storing an object of another class replaces it.
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
  /// The bindings and parameters, in the order of their `?` in the text.
  fileprivate var slots: [PrintedQuery.Slot] {
    segments.compactMap { segment in
      switch segment {
      case .binding(let binding): .value(binding)
      case .parameter(let index): .parameter(index)
      case .sql, .column, .requirement, .function: nil
      }
    }
  }

  /// The fragment with its bindings and parameters replaced, in order, by `values`.
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
