/// A table of the file with a line for each changed row of other tables, which triggers write,
/// whichever program changes the rows.
///
/// With it, commits of other programs are followed row by row (``Configuration/changeTable``).
/// Lines are numbered by an `INTEGER PRIMARY KEY` without `AUTOINCREMENT`, so that a commit's lines
/// follow the last one without gaps.
public struct ChangeTable: Sendable {
  /// A table whose changed rows have lines.
  public struct Source: Sendable {
    /// The name of the table.
    public let table: String
    /// The value of ``ChangeTable/kind`` in the lines of this table.
    public let kind: Int64
    /// The column whose value a line has as ``ChangeTable/item``. It must be an
    /// `INTEGER PRIMARY KEY`.
    public let id: String
    /// The integer column whose value a line has as ``ChangeTable/group``; `nil` for no such
    /// column.
    public let group: String?

    /// A table whose changed rows have lines.
    public init(_ table: String, kind: Int64, id: String, group: String? = nil) {
      self.table = table
      self.kind = kind
      self.id = id
      self.group = group
    }
  }

  /// The name of the table.
  public let table: String
  /// The column with the number of a line.
  public let version: String
  /// The column that says which table the changed row belongs to.
  public let kind: String
  /// The column with the ID of the changed row. A row that gets another ID has a line with each.
  public let item: String
  /// The column with the value of ``Source/group``. A row that gets another value has a line with
  /// each.
  public let group: String
  /// The tables whose changed rows have lines.
  public let sources: [Source]
  /// Virtual tables that only triggers of other tables write, by name, with these tables.
  public let indexes: [String: [String]]
  /// Other tables whose triggers increment their counter with each change (``increment(of:)``).
  public let counted: [String]
  /// All triggers of the file. If one of them is missing or differs, or there is another one, lines
  /// may be missing, and the change table is not used.
  public let triggers: TriggerInstaller

  /// Describes a change table.
  public init(
    table: String, version: String, kind: String, item: String, group: String,
    sources: [Source], indexes: [String: [String]] = [:], counted: [String] = [],
    triggers: [(name: String, sql: String)]
  ) {
    self.table = table
    self.version = version
    self.kind = kind
    self.item = item
    self.group = group
    self.sources = sources
    self.indexes = indexes
    self.counted = counted
    self.triggers = TriggerInstaller(triggers)
  }

  /// The statement of a trigger that increments the counter of a table, without a semicolon.
  public static func increment(of table: String) -> String { TableCounters.increment(of: table) }

  /// The triggers that a change table needs besides its own, which write the lines. They increment
  /// a counter when the lines do not say what has changed: when a line itself is changed, deleted
  /// or replaced, and when a row of a source is updated without a new line.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - version: The column with the number of a line.
  ///   - unlogged: The updates without a new line: a source's table, the updated columns, and a
  ///     condition on `old` and `new` as SQL. It may hold for other updates as well.
  public static func guards(
    table: String, version: String,
    unlogged: [(table: String, columns: String, condition: String)]
  ) -> [(name: String, sql: String)] {
    var triggers = ["Update", "Delete"].map { TableCounters.trigger(on: table, $0) }
    // The number that SQLite assigns to a new line is -1 here.
    triggers.append(
      TableCounters.trigger(
        on: table, "Replaced", "BEFORE INSERT", when: "new.\"\(version)\" <> -1"))
    for (table, columns, condition) in unlogged {
      triggers.append(
        TableCounters.trigger(
          on: table, "Unlogged", "AFTER UPDATE OF \(columns)", when: condition))
    }
    return triggers
  }
}
