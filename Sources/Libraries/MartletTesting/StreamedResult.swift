import MartletJSON

/// The current result of an event stream: applies each event to the result before it.
///
/// A `result` event replaces the result and a `delta` event (`?deltas=true`) changes it. `gone`
/// removes it, because the row does not exist any more. Other events leave it as it is.
public struct StreamedResult: Sendable {
  /// The result; `nil` before the first event and when the row is gone.
  public private(set) var value: JSONValue?

  /// No result yet, or the result of a plain `GET` that the stream goes on from.
  public init(_ value: JSONValue? = nil) { self.value = value }

  /// Applies an event. Throws a ``TestFailure`` for a delta that does not fit the result.
  public mutating func apply(_ event: StreamEvent) throws {
    switch event.event {
    case "result": value = try event.value
    case "delta": value = try StreamedResult.applying(event.value, to: value)
    case "gone": value = nil
    default: break
    }
  }

  /// The result after a delta, which looks like this:
  ///
  ///     {"ops": [["-", 3], ["+", 7, {…row…}, 2], ["~", 2, {"title": "new"}], [">", 5, null]],
  ///      "set": {"nextCursor": null}}
  ///
  /// `["+", key, row, after]` inserts a row behind the one with the key `after` and
  /// `[">", key, after]` moves one there, to the front if `after` is `null`. `["-", key]` removes a
  /// row and `["~", key, members]` sets members of it. A row's key is its first member. `set` sets
  /// members of the result itself.
  public static func applying(_ delta: JSONValue, to old: JSONValue?) throws -> JSONValue {
    guard case .object(var result)? = old else {
      throw TestFailure("a delta came without a result before it: \(delta)")
    }
    if let operations = delta["ops"]?.array {
      guard var rows = result["items"]?.array else {
        throw TestFailure("a delta has operations on rows, and the result has no items: \(delta)")
      }
      for operation in operations { try apply(operation, to: &rows) }
      result["items"] = .array(rows)
    }
    for member in delta["set"]?.object?.members ?? [] { result[member.name] = member.value }
    return .object(result)
  }

  private static func apply(_ operation: JSONValue, to rows: inout [JSONValue]) throws {
    func index(of key: JSONValue?) throws -> Int {
      guard let key, let index = rows.firstIndex(where: { $0.object?.members.first?.value == key })
      else { throw TestFailure("a delta names a row that is not there: \(operation)") }
      return index
    }
    func insert(_ row: JSONValue?, after key: JSONValue?) throws {
      guard let row, let key else {
        throw TestFailure("a delta's operation is short: \(operation)")
      }
      rows.insert(row, at: key.isNull ? 0 : try index(of: key) + 1)
    }
    switch operation[0]?.string {
    case "+": try insert(operation[2], after: operation[3])
    case "-": rows.remove(at: try index(of: operation[1]))
    case ">":
      let row = rows.remove(at: try index(of: operation[1]))
      try insert(row, after: operation[2])
    case "~":
      let index = try index(of: operation[1])
      guard case .object(var row) = rows[index] else { return }
      for member in operation[2]?.object?.members ?? [] { row[member.name] = member.value }
      rows[index] = .object(row)
    default: throw TestFailure("a delta has an unknown operation: \(operation)")
    }
  }
}
