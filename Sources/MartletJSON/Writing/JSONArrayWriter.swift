/// Writes an array's brackets and commas; allocates nothing. Without ``end()`` the array stays
/// open.
public struct JSONArrayWriter {
  public let buffer: ByteBuffer
  @usableFromInline var isEmpty = true

  /// Writes the opening bracket.
  @inlinable public init(_ buffer: ByteBuffer) {
    self.buffer = buffer
    buffer.append(UInt8(ascii: "["))
  }

  /// Writes the comma, when one is needed; whoever calls writes the element.
  @inlinable public mutating func next() {
    if isEmpty { isEmpty = false } else { buffer.append(UInt8(ascii: ",")) }
  }

  @inlinable public mutating func element(_ value: some JSONWritable) {
    next()
    value.writeJSON(into: buffer)
  }

  /// An element that `body` writes.
  @inlinable public mutating func element<Failure: Error>(
    _ body: (ByteBuffer) throws(Failure) -> Void
  ) throws(Failure) {
    next()
    try body(buffer)
  }

  /// Writes the closing bracket.
  @inlinable public func end() {
    buffer.append(UInt8(ascii: "]"))
  }
}
