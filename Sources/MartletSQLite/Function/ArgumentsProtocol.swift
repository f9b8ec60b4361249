/// What a function was called with. Valid during the call only.
///
/// `args[0]` is the raw value, `args[0] as String?` is converted: nil when the argument is NULL or
/// cannot be a `String`.
public protocol ArgumentsProtocol: RandomAccessCollection
where Element == SQLiteValue, Index == Int {
  /// The value as SQLite passed it.
  subscript(index: Index) -> SQLiteValue { get }
  /// The value as a Swift type; nil when it is NULL or cannot be one.
  subscript<T: SQLiteRepresentable>(index: Index) -> T? { get }
}

extension ArgumentsProtocol {
  public subscript<T: SQLiteRepresentable>(index: Index) -> T? {
    let value: SQLiteValue = self[index]
    return value.isNull ? nil : T(value)
  }
}
