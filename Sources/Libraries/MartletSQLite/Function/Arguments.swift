import CMartletSQLite

extension Function {
  /// The arguments of one call. Each is read from SQLite when it is accessed.
  public struct Arguments: ArgumentsProtocol {
    /// The argument vector, `sqlite3_value **`.
    @usableFromInline package let values: UnsafeMutablePointer<OpaquePointer?>?
    /// The number of arguments.
    public let endIndex: Int
    /// The first position, 0.
    public var startIndex: Int { 0 }

    init(count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?) {
      endIndex = Int(count)
      self.values = values
    }

    /// A copy of the argument at a position.
    public subscript(index: Int) -> SQLiteValue { Value(copying: handle(at: index)) }

    /// The `sqlite3_value *` at a position, for readers that avoid the copy.
    public func handle(at index: Int) -> OpaquePointer {
      precondition(
        index >= 0 && index < endIndex, "argument \(index) of a call with \(endIndex) arguments")
      return values![index]!
    }
  }
}

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
