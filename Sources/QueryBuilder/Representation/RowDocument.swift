/// Documents that are rows, or arrays and dictionaries of rows: their members go by the columns' names, which
/// `Codable` does not know. Bytes in an array are hexadecimal, as SQLite's functions make them.
enum RowDocument {
  /// `nil` for a document of another type.
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

  fileprivate static func read<Row: Table>(_ json: StoredJSON, row: Row.Type) -> Row? {
    try? Row.decode(json: json)
  }
}

private protocol RowCollection {
  static var holdsRows: Bool { get }
  /// `nil` where the elements are no rows.
  var stored: StoredJSON? { get }
  static func read(_ json: StoredJSON) -> Self?
}

extension Array: RowCollection {
  private static var bytes: (any QueryBindable.Type)? {
    guard let type = Element.self as? any QueryBindable.Type, type.kind == .blob else { return nil }
    return type
  }
  static var holdsRows: Bool { bytes != nil || RowDocument.reads(Element.self) }
  var stored: StoredJSON? {
    guard Self.holdsRows else { return nil }
    if Self.bytes != nil {
      return .array(map { ($0 as? any QueryBindable)?.storedJSON ?? .null })
    }
    return .array(map { RowDocument.stored($0) ?? .null })
  }
  static func read(_ json: StoredJSON) -> [Element]? {
    guard case .array(let elements) = json else { return nil }
    let rows = elements.compactMap { element in
      if let bytes = bytes { return (try? bytes.decode(json: element)) as? Element }
      return RowDocument.read(element, as: Element.self)
    }
    return rows.count == elements.count ? rows : nil
  }
}

extension Dictionary: RowCollection {
  static var holdsRows: Bool { Key.self == String.self && RowDocument.reads(Value.self) }
  var stored: StoredJSON? {
    guard Self.holdsRows else { return nil }
    var members: [String: StoredJSON] = [:]
    for case (let key as String, let value) in self {
      members[key] = RowDocument.stored(value) ?? .null
    }
    return .object(members)
  }
  static func read(_ json: StoredJSON) -> [Key: Value]? {
    guard case .object(let members) = json else { return nil }
    var rows: [Key: Value] = [:]
    for (name, member) in members {
      guard let key = name as? Key, let value = RowDocument.read(member, as: Value.self) else {
        return nil
      }
      rows[key] = value
    }
    return rows
  }
}

extension QueryBindable {
  fileprivate var storedJSON: StoredJSON? { StoredJSON(queryBinding, kind: Self.kind) }
}
