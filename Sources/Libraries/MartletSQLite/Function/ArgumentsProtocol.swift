/// The arguments of a function call. They are valid only during the call.
///
/// `args[0]` is the raw value. `args[0] as String?` is the converted one: `nil` if the argument is
/// NULL or not convertible to `String`.
public protocol ArgumentsProtocol: RandomAccessCollection
where Element == SQLiteValue, Index == Int {
  /// The value at a position.
  subscript(index: Index) -> SQLiteValue { get }
  /// The value at a position as a Swift type, or `nil` if it is NULL or not convertible.
  subscript<T: SQLiteRepresentable>(index: Index) -> T? { get }
}

extension ArgumentsProtocol {
  /// The value at a position as a Swift type, or `nil` if it is NULL or not convertible.
  public subscript<T: SQLiteRepresentable>(index: Index) -> T? {
    let value: SQLiteValue = self[index]
    return value.isNull ? nil : T(value)
  }
}
