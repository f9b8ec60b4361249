import MartletSQLite

/// Rows that are ordered by position and ID: the lists, the smart lists, or the reminders of a
/// list.
struct OrderedRows {
  /// A row and its position.
  struct Row: Equatable {
    let id: Int
    let position: Int
  }

  /// A direction in the order.
  enum Direction { case forwards, backwards }

  private let table: String
  /// The name of a row in messages.
  private let noun: String
  private let list: Int?

  /// All lists.
  static let lists = OrderedRows(table: "remindersLists", noun: "list", list: nil)

  /// All smart lists.
  static let smartLists = OrderedRows(table: "smartLists", noun: "smart list", list: nil)

  /// The reminders of a list.
  static func reminders(ofList list: Int) -> OrderedRows {
    OrderedRows(table: "reminders", noun: "reminder of this list", list: list)
  }

  /// Orders the rows as in `ids`, which must contain each of them exactly once. Throws
  /// ``DomainError/incompleteOrder(missing:unknown:repeated:)`` otherwise.
  func order(_ ids: [Int], in db: Connection) throws {
    let stored = try rows(.forwards, limit: -1, in: db)
    try store(Reordering(stored: stored, asked: ids).changes(), in: db)
  }

  /// Moves a row. Returns false if it does not exist. Throws ``DomainError/invalid(_:_:)`` if the
  /// destination names no other of the rows.
  func move(_ id: Int, _ destination: Destination, in db: Connection) throws -> Bool {
    guard let row = try row(id, in: db) else { return false }
    var sibling: Row?
    if let other = destination.sibling {
      guard other != id else { throw DomainError.invalid(destination.name, "expected another ID") }
      guard let found = try self.row(other, in: db) else {
        throw DomainError.invalid(destination.name, "no \(noun) has this ID")
      }
      sibling = found
    }
    let move = Move(row: row) { direction, from, limit in
      try rows(direction, from: from, without: id, limit: limit, in: db)
    }
    try store(move.changes(destination, sibling), in: db)
    return true
  }

  private func row(_ id: Int, in db: Connection) throws -> Row? {
    try db.query(
      "SELECT id, position FROM \(table) WHERE \(condition) AND id = ?",
      values + [.integer(Int64(id))]
    ).first.map(OrderedRows.row)
  }

  private func rows(
    _ direction: Direction, from row: Row? = nil, without id: Int = 0, limit: Int,
    in db: Connection
  ) throws -> [Row] {
    let (sign, order) = direction == .forwards ? (">", "ASC") : ("<", "DESC")
    var sql = "SELECT id, position FROM \(table) WHERE \(condition) AND id <> ?"
    var values = values + [.integer(Int64(id))]
    if let row {
      sql += " AND (position, id) \(sign) (?, ?)"
      values += [.integer(Int64(row.position)), .integer(Int64(row.id))]
    }
    return try db.query(
      "\(sql) ORDER BY position \(order), id \(order) LIMIT \(limit)", values
    ).map(OrderedRows.row)
  }

  private func store(_ rows: [Row], in db: Connection) throws {
    for row in rows {
      try db.run(
        "UPDATE \(table) SET position = ? WHERE id = ?", .integer(Int64(row.position)),
        .integer(Int64(row.id)))
    }
  }

  private var condition: String { list == nil ? "TRUE" : "remindersListID = ?" }
  private var values: [Value] { list.map { [.integer(Int64($0))] } ?? [] }

  private static func row(_ columns: MartletSQLite.Row) -> Row {
    Row(id: Int(columns[0].integer ?? 0), position: Int(columns[1].integer ?? 0))
  }
}
