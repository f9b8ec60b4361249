/// Writes the brackets and commas of an array without allocating. Call ``end()`` to close the
/// array.
public struct JSONArrayWriter {
  /// The buffer that the array is written to.
  public let buffer: ByteBuffer
  @usableFromInline var isEmpty = true

  /// Writes the opening bracket.
  @inlinable public init(_ buffer: ByteBuffer) {
    self.buffer = buffer
    buffer.append(UInt8(ascii: "["))
  }

  /// Writes a comma if one is needed. The caller then writes the element.
  @inlinable public mutating func next() {
    if isEmpty { isEmpty = false } else { buffer.append(UInt8(ascii: ",")) }
  }

  /// Writes an element.
  @inlinable public mutating func element(_ value: some JSONWritable) {
    next()
    value.writeJSON(into: buffer)
  }

  /// Writes a comma if one is needed, and lets `body` write the element.
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
