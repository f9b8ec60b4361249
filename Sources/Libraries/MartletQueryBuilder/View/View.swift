/// A CREATE VIEW statement: a query that can be read like a table
/// (https://sqlite.org/lang_createview.html).
///
/// A view can be written to if it has triggers with `insteadOf:`.
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
    // A value that cannot be stored has no literal, so the statement is never executed. Neither is
    // one with a bound date: in a view that date would always be the time at which the view was
    // created.
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

  /// The error for a temporary view of a type with another schema: queries would look for the view
  /// there.
  private var misplaced: String? {
    guard isTemporary, let schema = Row.schemaName, schema.lowercased() != "temp" else {
      return nil
    }
    return """
      A temporary view lies in temp, but \(typeName(Row.self)) is a table of the schema "\(schema)" (view \
      "\(Row.tableName)")
      """
  }

  /// Drops the view: `DROP VIEW "…"`.
  public func drop(ifExists: Bool = false) -> PlainStatement { Row.dropView(ifExists: ifExists) }
}

extension Table {
  /// Creates a view that exists until the connection closes: `CREATE TEMPORARY VIEW …`.
  public static func createTemporaryView(
    ifNotExists: Bool = false, as query: some Statement<Self>
  ) -> View<Self> {
    View(isTemporary: true, ifNotExists: ifNotExists, definition: query.query)
  }
  /// Creates a view that is part of the schema: `CREATE VIEW …`.
  ///
  /// Every program that opens the database can read it, so it cannot call Swift functions.
  public static func createView(
    ifNotExists: Bool = false, as query: some Statement<Self>
  ) -> View<Self> {
    View(isTemporary: false, ifNotExists: ifNotExists, definition: query.query)
  }
  /// Drops the view: `DROP VIEW "…"`.
  public static func dropView(ifExists: Bool = false) -> PlainStatement {
    PlainStatement(Query("DROP VIEW \(raw: ifExists ? "IF EXISTS " : "")\(identifier)"))
  }
}
