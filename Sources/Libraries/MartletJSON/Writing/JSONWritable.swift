/// A value that can write itself as JSON.
public protocol JSONWritable {
  /// Writes exactly one JSON value to the end of `buffer`.
  func writeJSON(into buffer: ByteBuffer)
}

extension String: JSONWritable {
  /// Writes a JSON string.
  @inlinable public func writeJSON(into buffer: ByteBuffer) {
    JSONWriter.string(self, into: buffer)
  }
}

extension Int: JSONWritable {
  /// Writes the digits.
  @inlinable public func writeJSON(into buffer: ByteBuffer) { buffer.append(decimal: self) }
}

extension Int64: JSONWritable {
  /// Writes the digits.
  @inlinable public func writeJSON(into buffer: ByteBuffer) {
    JSONWriter.integer(self, into: buffer)
  }
}

extension Double: JSONWritable {
  /// Writes the shortest digits that read back as the same number, or `null` if it is not finite.
  @inlinable public func writeJSON(into buffer: ByteBuffer) {
    JSONWriter.double(self, into: buffer)
  }
}

extension Bool: JSONWritable {
  /// Writes `true` or `false`.
  @inlinable public func writeJSON(into buffer: ByteBuffer) { JSONWriter.bool(self, into: buffer) }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
  /// Writes the wrapped value, or `null`.
  @inlinable public func writeJSON(into buffer: ByteBuffer) {
    if let self { self.writeJSON(into: buffer) } else { JSONWriter.null(into: buffer) }
  }
}

extension Array: JSONWritable where Element: JSONWritable {
  /// Writes an array.
  @inlinable public func writeJSON(into buffer: ByteBuffer) {
    var writer = JSONArrayWriter(buffer)
    for element in self { writer.element(element) }
    writer.end()
  }
}

extension JSONObject: JSONWritable {
  /// Writes an object with all members in order.
  public func writeJSON(into buffer: ByteBuffer) {
    var writer = JSONObjectWriter(buffer)
    for member in members {
      writer.name(dynamic: member.name)
      member.value.writeJSON(into: buffer)
    }
    writer.end()
  }
}

extension JSONValue: JSONWritable {
  /// Writes the value without whitespace. Numbers keep their text.
  public func writeJSON(into buffer: ByteBuffer) {
    switch self {
    case .null: JSONWriter.null(into: buffer)
    case .bool(let value): JSONWriter.bool(value, into: buffer)
    case .integer(let value): JSONWriter.integer(value, into: buffer)
    case .number(let value): buffer.append(utf8: value.text)
    case .string(let value): JSONWriter.string(value, into: buffer)
    case .array(let value): value.writeJSON(into: buffer)
    case .object(let value): value.writeJSON(into: buffer)
    }
  }
}
