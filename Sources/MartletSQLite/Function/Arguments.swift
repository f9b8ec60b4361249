import CMartletSQLite

extension Function {
  /// The arguments of one call, read from SQLite one by one as they are asked for.
  public struct Arguments: ArgumentsProtocol {
    /// SQLite's own values one after the other, `sqlite3_value **`, for readers of all of them.
    @usableFromInline package let values: UnsafeMutablePointer<OpaquePointer?>?
    public let endIndex: Int
    public var startIndex: Int { 0 }

    init(count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?) {
      endIndex = Int(count)
      self.values = values
    }

    public subscript(index: Int) -> SQLiteValue { Value(copying: handle(at: index)) }

    /// SQLite's own value, a `sqlite3_value *`, for readers that avoid the copy.
    public func handle(at index: Int) -> OpaquePointer {
      precondition(
        index >= 0 && index < endIndex, "argument \(index) of a call with \(endIndex) arguments")
      return values![index]!
    }
  }
}
