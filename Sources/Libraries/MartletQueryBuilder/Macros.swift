/// Makes a struct or an enum a table: generates its columns, its draft and the decoding of its
/// rows.
///
/// A property called `id`, or one with `@Column(primaryKey: true)`, is the primary key. The cases
/// of an enum have their own columns: in a row, the columns of all cases but one are NULL
/// (``EnumTable``).
///
/// - Parameters:
///   - name: The table's name in SQL. By default the type's name in the plural, with a lowercase
///     first letter: `Reminder` is `"reminders"`.
///   - schema: The database that holds the table: `main`, `temp` or the name of an attached
///     database. By default no schema is written.
@attached(
  extension, conformances: Table, PrimaryKeyedTable, EnumTable,
  names: named(tableName), named(schemaName), named(ColumnTypes), named(TableColumns),
  named(Columns),
  named(Selection), named(Draft), named(columns), named(assignments), named(init(row:)))
@attached(member, names: named(ColumnTypes))
public macro Table(_ name: String = "", schema: String = "") =
  #externalMacro(module: "MartletQueryPlugin", type: "TableMacro")

/// Makes a struct or an enum a row that is not stored in a table of its own.
///
/// Use it for rows that a query selects, for the tables of a ``With``, and for a group of columns
/// in a single property of a table. It has no key and no draft. On a type with `@Table` it adds
/// nothing.
///
/// - Parameter name: The name in SQL, used as the table's name in a ``With``. By default the type's
///   name in the plural, with a lowercase first letter.
@attached(
  extension, conformances: Table, EnumTable,
  names: named(tableName), named(schemaName), named(ColumnTypes), named(TableColumns),
  named(Columns),
  named(Selection), named(columns),
  named(assignments), named(init(row:)))
@attached(member, names: named(ColumnTypes))
public macro Selection(_ name: String = "") =
  #externalMacro(module: "MartletQueryPlugin", type: "SelectionMacro")

/// Configures how a property is stored.
///
/// - Parameters:
///   - name: The name of the column. By default the name of the property.
///   - representation: The type that stores the value, such as `Date.UnixTimeRepresentation.self`.
///     By default the property's own type.
///   - primaryKey: Whether the column is the table's primary key.
///   - generated: How SQLite stores the column if it is generated. Generated columns are read,
///     never written. `nil` for an ordinary column.
///   - lazyInitializable: Whether a draft may leave the value out, because a DEFAULT or a trigger
///     sets it.
@attached(peer)
public macro Column(
  _ name: String = "", as representation: Any.Type? = nil, primaryKey: Bool = false,
  generated: GeneratedColumn? = nil, lazyInitializable: Bool = false
) = #externalMacro(module: "MartletQueryPlugin", type: "ColumnMacro")

/// Configures a property that is a group of columns, like `@Column` for a single column.
///
/// A group needs no attribute: any property whose type is a `@Selection` or `@Table` is one.
///
/// - Parameters:
///   - primaryKey: Whether the group is the table's primary key.
///   - lazyInitializable: Whether a draft may leave the group out.
@attached(peer)
public macro Columns(primaryKey: Bool = false, lazyInitializable: Bool = false) =
  #externalMacro(module: "MartletQueryPlugin", type: "ColumnMacro")

/// Excludes a property from the table's columns. The property needs a default value.
@attached(peer)
public macro Ephemeral() = #externalMacro(module: "MartletQueryPlugin", type: "EphemeralMacro")

/// How SQLite stores a generated column: `stored` on disk, or `virtual`, computed on each read
/// (https://sqlite.org/gencol.html).
public enum GeneratedColumn: Sendable { case stored, virtual }

/// SQL written as text. Its quotes, parentheses and parameters are checked at compile time.
///
/// The type of the value is inferred from the context or given by `as:`; `as: Reminder.self`
/// decodes whole rows.
///
/// ```swift
/// $0.updatedAt = #sql("datetime('subsec')")
/// #sql(
///   "SELECT \(Reminder.columns) FROM \(Reminder.self) WHERE \(Reminder.id) = \(bind: id)",
///   as: Reminder.self)
/// ```
@freestanding(expression)
public macro sql<QueryValue: QueryRepresentable>(
  _ fragment: QueryFragment, as type: QueryValue.Type = QueryValue.self
) -> SQLQueryExpression<QueryValue> = #externalMacro(module: "MartletQueryPlugin", type: "SQLMacro")

/// An SQL statement without rows: `try #sql("DROP TABLE \(Reminder.self)").execute(db)`.
@freestanding(expression)
public macro sql(_ fragment: QueryFragment) -> SQLQueryExpression<NoRows> =
  #externalMacro(module: "MartletQueryPlugin", type: "SQLMacro")

/// An SQL statement whose rows are tuples: `#sql("SELECT 1, 'a'", as: (Int, String).self)`.
@freestanding(expression)
public macro sql<each Value: QueryRepresentable>(
  _ fragment: QueryFragment, as type: (repeat each Value).Type
) -> SQLTuples<(repeat (each Value).QueryOutput)> =
  #externalMacro(module: "MartletQueryPlugin", type: "SQLTuplesMacro")

/// A Swift value as a bound parameter, `?`. Its representation is inferred from the context or
/// given by `as:`.
///
/// ```swift
/// $0.status = #bind(.completed)
/// $0.remindAt = #bind(date, as: Date.UnixTimeRepresentation.self)
/// ```
@freestanding(expression)
public macro bind<QueryValue: ColumnRepresentation>(
  _ value: QueryValue.QueryOutput, as type: QueryValue.Type = QueryValue.self
) -> SQLQueryExpression<QueryValue> =
  #externalMacro(module: "MartletQueryPlugin", type: "BindMacro")

/// A Swift value as a bound parameter where the context does not determine its representation:
/// `\(Reminder.title) == #bind("milk")`.
@freestanding(expression)
public macro bind<QueryValue: QueryBindable>(
  _ value: QueryValue
) -> SQLQueryExpression<QueryValue> =
  #externalMacro(module: "MartletQueryPlugin", type: "BindMacro")

/// A dictionary as a bound JSON document: `#bind(["a": 1]).jsonPatch(#bind(["b": 2]))`.
///
/// If the value could also be a column's value, give its representation with `as:`.
@freestanding(expression)
public macro bind<Value: Codable>(
  _ value: [String: Value]
) -> SQLQueryExpression<CodableJSONRepresentation<[String: Value]>> =
  #externalMacro(module: "MartletQueryPlugin", type: "BindMacro")

/// A row as a bound JSON document.
@freestanding(expression)
public macro bind<Row: Table & Codable>(
  _ value: Row
) -> SQLQueryExpression<CodableJSONRepresentation<Row>> =
  #externalMacro(module: "MartletQueryPlugin", type: "BindMacro")

/// Makes a Swift function callable from SQL, as `$name`. Argument labels and default values are
/// kept.
///
/// A computed property is a function without arguments. A function with a `some Sequence<T>`
/// parameter and a struct with `step` and `finalize` are aggregates.
///
/// ```swift
/// @DatabaseFunction func exclaim(_ text: String) -> String { text + "!" }
/// db.add(function: $exclaim)
/// Reminder.select { $exclaim($0.title) }
/// // SELECT "exclaim"("reminders"."title") FROM "reminders"
/// ```
/// - Parameters:
///   - name: The name in SQL. By default the name of the declaration.
///   - representation: How arguments and result are stored, if not as their own types:
///     `as: (([String].JSONRepresentation) -> Int).self`.
///   - isDeterministic: Whether equal arguments always give equal results
///     (https://sqlite.org/deterministic.html).
///   - directOnly: Whether the function is not callable from triggers, views, constraints and
///     indexes (`SQLITE_DIRECTONLY`).
///   - innocuous: Whether the function has no side effects and reveals nothing, so that an
///     untrusted schema may call it (`SQLITE_INNOCUOUS`).
@attached(peer, names: prefixed(`$`))
public macro DatabaseFunction(
  _ name: String = "", as representation: Any.Type? = nil, isDeterministic: Bool = false,
  directOnly: Bool = false, innocuous: Bool = false
) = #externalMacro(module: "MartletQueryPlugin", type: "DatabaseFunctionMacro")
