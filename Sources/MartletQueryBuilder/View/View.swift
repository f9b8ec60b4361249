/// `CREATE VIEW`, from types (https://sqlite.org/lang_createview.html): a query that can be read as a
/// table. An `insteadOf:` trigger makes it one that can be written to.
///
/// ```swift
/// @Table struct OpenReminder { let id: Int; var title = "" }
/// OpenReminder.createTemporaryView(
///   as: Reminder.where { !$0.isCompleted }
///     .select { OpenReminder.Columns(id: $0.id, title: $0.title) })
/// // CREATE TEMPORARY VIEW "openReminders" ("id", "title") AS SELECT …
/// ```
/// The query is printed with literals, because a view takes no parameters.
public struct View<Row: Table>: Statement {
  public typealias Output = Never
  let isTemporary: Bool
  let ifNotExists: Bool
  let definition: Query

  public var query: Query {
    let printed = definition.fragment.prepare(.literal)
    let columns = Row.TableColumns.all.map { QueryFragment(quote: $0.name) }.joined(", ")
    let sql: QueryFragment = """
      CREATE \(raw: isTemporary ? "TEMPORARY " : "")VIEW \(raw: ifNotExists ? "IF NOT EXISTS " : "")\
      \(Row.identifier) (\(columns)) AS \(raw: printed.sql)
      """
    // A value that cannot be stored has no literal either: the statement is never executed.
    // Nor does a date mean the moment of the query in a view: it would be the one of the view's creation.
    let issue =
      misplaced ?? (isTemporary ? nil : definition.fragment.issueInSchema)
      ?? printed.issues.first.map { issue in
        let words = issue.replacing("a trigger statement", with: "a view")
        return words == issue ? issue : "\(words) (view \"\(Row.tableName)\")"
      }
    return Query(
      issue.map { "\(sql) \(QueryBinding.invalid(reason: $0))" } ?? sql,
      isEmpty: definition.fragment.isEmpty)
  }

  /// Its queries would look for it there, where it is not.
  private var misplaced: String? {
    guard isTemporary, let schema = Row.schemaName, schema.lowercased() != "temp" else {
      return nil
    }
    return """
      A temporary view lies in temp, but \(typeName(Row.self)) is a table of the schema "\(schema)" (view \
      "\(Row.tableName)")
      """
  }

  /// `DROP VIEW "…"`
  public func drop(ifExists: Bool = false) -> Change { Row.dropView(ifExists: ifExists) }
}

extension Table {
  /// Gone with the connection.
  public static func createTemporaryView(
    ifNotExists: Bool = false, as query: some Statement<Self>
  ) -> View<Self> {
    View(isTemporary: true, ifNotExists: ifNotExists, definition: query.query)
  }
  /// Part of the schema: every program that reads meets it, so it may call no Swift function.
  public static func createView(
    ifNotExists: Bool = false, as query: some Statement<Self>
  ) -> View<Self> {
    View(isTemporary: false, ifNotExists: ifNotExists, definition: query.query)
  }
  /// `DROP VIEW "…"`
  public static func dropView(ifExists: Bool = false) -> Change {
    Change(Query("DROP VIEW \(raw: ifExists ? "IF EXISTS " : "")\(identifier)"))
  }
}
