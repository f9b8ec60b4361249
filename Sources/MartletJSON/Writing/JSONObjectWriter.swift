/// Writes an object's braces, names and commas; allocates nothing. Without ``end()`` the object
/// stays open.
public struct JSONObjectWriter {
  public let buffer: ByteBuffer
  @usableFromInline var isEmpty = true

  /// Writes the opening brace.
  @inlinable public init(_ buffer: ByteBuffer) {
    self.buffer = buffer
    buffer.append(UInt8(ascii: "{"))
  }

  @inlinable mutating func separate() {
    if isEmpty { isEmpty = false } else { buffer.append(UInt8(ascii: ",")) }
  }

  /// Writes the name and the colon; whoever calls writes the value. The name is one that needs no
  /// escapes.
  @inlinable public mutating func name(_ name: StaticString) {
    separate()
    buffer.append(UInt8(ascii: "\""))
    buffer.append(name)
    buffer.append(UInt8(ascii: "\""))
    buffer.append(UInt8(ascii: ":"))
  }

  /// Writes a name that is not known before run time, escaped, and the colon.
  @inlinable public mutating func name(dynamic name: String) {
    separate()
    JSONWriter.string(name, into: buffer)
    buffer.append(UInt8(ascii: ":"))
  }

  @inlinable public mutating func member(_ name: StaticString, _ value: some JSONWritable) {
    self.name(name)
    value.writeJSON(into: buffer)
  }

  /// A member whose value `body` writes.
  @inlinable public mutating func member<Failure: Error>(
    _ name: StaticString, _ body: (ByteBuffer) throws(Failure) -> Void
  ) throws(Failure) {
    self.name(name)
    try body(buffer)
  }

  /// Writes the closing brace.
  @inlinable public func end() {
    buffer.append(UInt8(ascii: "}"))
  }
}
