import FoundationEssentials

/// Documents that are rows, or arrays and dictionaries of rows or of values with their own
/// representation.
///
/// `Codable` does not know the names and representations of columns. Here an element is stored like
/// a column of its type, so that key paths and SQLite's functions find it: bytes are hexadecimal,
/// and UUIDs are lowercase.
enum RowDocument {
  /// The value in JSON; `nil` if it cannot be represented.
  static func stored(_ value: Any) -> StoredJSON? {
    switch value {
    case let row as any Table: StoredJSON(row: row)
    case let collection as any RowCollection: collection.stored
    default: nil
    }
  }

  static func reads(_ type: Any.Type) -> Bool {
    if let collection = type as? any RowCollection.Type { return collection.holdsRows }
    return type is any Table.Type
  }

  static func read<T>(_ json: StoredJSON, as type: T.Type) -> T? {
    if let row = type as? any Table.Type { return read(json, row: row) as? T }
    return (type as? any RowCollection.Type)?.read(json) as? T
  }

  private static func read<Row: Table>(_ json: StoredJSON, row: Row.Type) -> Row? {
    try? Row.decode(json: json)
  }
}

private protocol RowCollection {
  /// Whether the collection contains rows or values with their own representation, which `Codable`
  /// stores differently.
  static var holdsRows: Bool { get }
  var stored: StoredJSON? { get }
  static func read(_ json: StoredJSON) -> Self?
}

/// An element of a collection, or the value in an optional.
private enum RowElement<Value> {
  private static var column: (any QueryBindable.Type)? { Value.self as? any QueryBindable.Type }

  static var holdsRows: Bool {
    switch Value.self {
    case is any FixedWidthInteger.Type, is String.Type, is Bool.Type, is Double.Type, is Date.Type:
      false
    default: column != nil || RowDocument.reads(Value.self)
    }
  }

  static func stored(_ value: Value) -> StoredJSON? {
    if let column { return stored(value, column) }
    return RowDocument.stored(value)
  }
  private static func stored<C: QueryBindable>(_ value: Value, _ column: C.Type) -> StoredJSON? {
    (value as? C).flatMap { StoredJSON($0.queryBinding, kind: C.kind) }
  }

  static func read(_ json: StoredJSON) -> Value? {
    if let column {
      // Also accepts what `Codable` wrote, in another program or an older version of this one.
      return ((try? column.decode(json: json)) as? Value) ?? decoded(json)
    }
    return RowDocument.read(json, as: Value.self)
  }
  private static func decoded(_ json: StoredJSON) -> Value? {
    guard let type = Value.self as? any Decodable.Type, let text = json.text else { return nil }
    return (try? JSONDecoder().decode(type, from: Data(text.utf8))) as? Value
  }
}

extension Optional: RowCollection {
  static var holdsRows: Bool { RowElement<Wrapped>.holdsRows }
  var stored: StoredJSON? { map(RowElement<Wrapped>.stored) ?? .null }
  static func read(_ json: StoredJSON) -> Wrapped?? {
    json == .null ? .some(nil) : RowElement<Wrapped>.read(json).map(Optional.some)
  }
}

extension Array: RowCollection {
  static var holdsRows: Bool { RowElement<Element>.holdsRows }
  var stored: StoredJSON? {
    let elements = compactMap(RowElement<Element>.stored)
    return elements.count == count ? .array(elements) : nil
  }
  static func read(_ json: StoredJSON) -> [Element]? {
    guard case .array(let elements) = json else { return nil }
    let rows = elements.compactMap(RowElement<Element>.read)
    return rows.count == elements.count ? rows : nil
  }
}

extension Dictionary: RowCollection {
  static var holdsRows: Bool { Key.self == String.self && RowElement<Value>.holdsRows }
  var stored: StoredJSON? {
    var members: [String: StoredJSON] = [:]
    for case (let key as String, let value) in self {
      guard let member = RowElement<Value>.stored(value) else { return nil }
      members[key] = member
    }
    return .object(members)
  }
  static func read(_ json: StoredJSON) -> [Key: Value]? {
    guard case .object(let members) = json else { return nil }
    var rows: [Key: Value] = [:]
    for (name, member) in members {
      guard let key = name as? Key, let value = RowElement<Value>.read(member) else { return nil }
      rows[key] = value
    }
    return rows
  }
}
