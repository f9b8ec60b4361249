/// What a statement says: all that passes from the builder to whoever runs it.
public struct Query: Sendable {
  /// The SQL with its values. Of a prepared query it is put together when asked for.
  public var fragment: QueryFragment {
    get { printed == nil ? template : template.filled(with: values) }
    set {
      template = newValue
      printed = nil
      values = []
    }
  }
  /// The result's columns from left to right, by name and kind: JSON is written from these.
  public var columns: [ResultColumn] {
    // A driver's note of a prepared query is about the columns that it was printed with: with others the query is one
    // of its own.
    didSet { if printed != nil { fragment = fragment } }
  }
  /// True where nothing is to be executed: an update that assigns nothing, a query of `none`.
  public var isEmpty: Bool
  /// The text, where it was printed before (``PreparedQuery``), and the values for it in order.
  public internal(set) var printed: PrintedQuery?
  public internal(set) var values: [QueryBinding] = []
  private var template: QueryFragment

  public init(_ fragment: QueryFragment, columns: [ResultColumn] = [], isEmpty: Bool = false) {
    template = fragment
    self.columns = columns
    self.isEmpty = isEmpty
  }

  /// `SELECT 1 AS "value"`: one row, from nowhere.
  init(row: [SelectedColumn]) {
    self.init("SELECT \(row.map(\.clause).joined(", "))", columns: row.map(\.result))
  }
}

/// Anything that can be run. `Output` is one row of it, `Never` when it has none.
public protocol Statement<Output>: Sendable {
  associatedtype Output
  var query: Query { get }
  /// Reads one row.
  var decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output { get }
}

extension Statement where Output == Never {
  public var decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Never {
    { row throws(DecodingProblem) in throw row.problem("no rows") }
  }
}
