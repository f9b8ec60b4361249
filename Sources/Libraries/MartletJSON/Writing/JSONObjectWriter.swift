/// Writes the braces, names and commas of an object without allocating. Call ``end()`` to close the
/// object.
public struct JSONObjectWriter {
  /// The buffer that the object is written to.
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

  /// Writes a name that needs no escaping, and the colon. The caller then writes the value.
  @inlinable public mutating func name(_ name: StaticString) {
    separate()
    buffer.append(UInt8(ascii: "\""))
    buffer.append(name)
    buffer.append(UInt8(ascii: "\""))
    buffer.append(UInt8(ascii: ":"))
  }

  /// Writes a name known only at run time, escaped, and the colon. The caller then writes the
  /// value.
  @inlinable public mutating func name(dynamic name: String) {
    separate()
    JSONWriter.string(name, into: buffer)
    buffer.append(UInt8(ascii: ":"))
  }

  /// Writes a member.
  @inlinable public mutating func member(_ name: StaticString, _ value: some JSONWritable) {
    self.name(name)
    value.writeJSON(into: buffer)
  }

  /// Writes a name and lets `body` write the value.
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
