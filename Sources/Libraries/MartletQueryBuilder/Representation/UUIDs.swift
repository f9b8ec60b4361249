import FoundationEssentials

/// A UUID is stored as lowercase text.
extension UUID: ScalarValue {
  public static var kind: ColumnKind { .text }
  public static func bind(_ value: UUID) -> QueryBinding { .uuid(value) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> UUID {
    let place = row.place
    guard let uuid = UUID(uuidString: try row.string()) else {
      throw row.problem("UUID", at: place)
    }
    return uuid
  }
}

extension UUID {
  /// A UUID stored as uppercase text, as Foundation writes it.
  public struct UppercasedRepresentation: ForeignRepresentation {
    public var queryOutput: UUID
    public init(queryOutput: UUID) { self.queryOutput = queryOutput }
    public static var kind: ColumnKind { .text }
    public static func bind(_ value: UUID) -> QueryBinding { .text(value.uuidString) }
    public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> UUID {
      try UUID.decode(&row)
    }
  }

  /// A UUID stored as 16 bytes in a BLOB.
  public struct BytesRepresentation: ForeignRepresentation {
    public var queryOutput: UUID
    public init(queryOutput: UUID) { self.queryOutput = queryOutput }
    public static var kind: ColumnKind { .blob }
    public static func bind(_ value: UUID) -> QueryBinding {
      .blob(withUnsafeBytes(of: value.uuid) { Array($0) })
    }
    public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> UUID {
      let place = row.place
      let bytes = try row.blob()
      guard bytes.count == 16 else { throw row.problem("UUID of 16 bytes", at: place) }
      return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
  }
}

extension UUID.UppercasedRepresentation: SQLiteType {
  public static var typeAffinity: SQLiteTypeAffinity { .text }
}
extension UUID.BytesRepresentation: SQLiteType {
  public static var typeAffinity: SQLiteTypeAffinity { .blob }
}

extension UUID? {
  /// An optional UUID stored as uppercase text.
  public typealias UppercasedRepresentation = UUID.UppercasedRepresentation?
  /// An optional UUID stored as 16 bytes in a BLOB.
  public typealias BytesRepresentation = UUID.BytesRepresentation?
}
