/// Text, written into memory whose size is known beforehand.
struct TextBuffer: ~Copyable {
  /// Separates the schema and the name in a qualifier; it prints as `"."`. Names contain no NUL.
  /// The quotation mark in it limits the search for it to qualifiers with quotation marks, which
  /// are copied byte by byte anyway.
  static let schemaMark = "\0\""

  private let memory: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ memory: UnsafeMutableBufferPointer<UInt8>) { self.memory = memory }

  mutating func append(_ byte: UInt8) {
    memory[count] = byte
    count += 1
  }
  mutating func append(_ text: String) {
    let rest = UnsafeMutableBufferPointer(rebasing: memory[count...])
    count += rest.initialize(fromContentsOf: text.utf8)
  }
  /// Appends a text between two quotation marks, doubling each `mark` in it. `isPlain`: the text
  /// contains none.
  mutating func append(_ text: String, quotedBy mark: UInt8, isPlain: Bool) {
    append(mark)
    if isPlain {
      append(text)
    } else {
      // Iterating over characters instead of bytes took half the time of building a query.
      var isSchemaMark = false
      for byte in text.utf8 {
        if isSchemaMark, byte == mark {
          append(mark)
          append(UInt8(ascii: "."))
          append(mark)
        } else if byte != 0 {
          append(byte)
          if byte == mark { append(byte) }
        }
        isSchemaMark = byte == 0
      }
    }
    append(mark)
  }
}

/// The number of times that a byte occurs in a text.
func count(of byte: UInt8, in text: String) -> Int {
  // In contiguous memory: iterating over the UTF-8 view took a tenth of the time of printing a
  // query.
  text.utf8.withContiguousStorageIfAvailable { bytes in bytes.count { $0 == byte } }
    ?? text.utf8.count { $0 == byte }
}
