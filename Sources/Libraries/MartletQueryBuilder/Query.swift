/// A statement ready to run: its SQL, its bindings and the columns of its result.
///
/// A `Query` is all that the builder passes to the database layer.
public struct Query: Sendable {
  /// The SQL with its bindings.
  ///
  /// A prepared query assembles it on access. Setting it discards ``printed``.
  public var fragment: QueryFragment {
    get { printed == nil ? template : template.filled(with: values) }
    set {
      template = newValue
      printed = nil
      values = []
    }
  }
  /// The columns of the result from left to right, with name and kind. JSON output is written from
  /// them.
  public var columns: [ResultColumn] {
    // The object that the driver caches with `printed` belongs to the original columns, so a query
    // with other columns is no longer the prepared one.
    didSet { if printed != nil { fragment = fragment } }
  }
  /// True if there is nothing to execute: an update without assignments, or a query of `none`.
  public var isEmpty: Bool
  /// The printed text if the query comes from a ``PreparedQuery``; otherwise `nil`.
  public internal(set) var printed: PrintedQuery?
  /// The values for the parameters of ``printed``, in order. Empty if that is `nil`.
  public internal(set) var values: [QueryBinding] = []
  private var template: QueryFragment

  /// Creates a query from SQL and the columns of its result.
  public init(_ fragment: QueryFragment, columns: [ResultColumn] = [], isEmpty: Bool = false) {
    template = fragment
    self.columns = columns
    self.isEmpty = isEmpty
  }

  /// `SELECT 1 AS "value"`: one row without a table.
  init(row: [SelectedColumn]) {
    self.init("SELECT \(row.map(\.clause).joined(", "))", columns: row.map(\.result))
  }
}

/// Anything that a database can run.
public protocol Statement<Output>: Sendable {
  /// The type of a row of the result; `Never` if there are no rows.
  associatedtype Output
  /// The SQL, its bindings and the columns of the result.
  var query: Query { get }
  /// Decodes one row of the result.
  var decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output { get }
}

extension Statement where Output == Never {
  public var decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Never {
    { row throws(DecodingProblem) in throw row.problem("no rows") }
  }
}
