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
