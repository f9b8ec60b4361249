extension CSV {
  /// The tags of a field, one after the other: between semicolons, without the blanks around them.
  ///
  /// A tag's own backslash is written `\\`, its own semicolon `\;`, and a blank that it begins or ends with as a
  /// backslash and the blank. A backslash before anything else is one, as it was before these rules.
  struct Tags: IteratorProtocol {
    private let bytes: [UInt8]
    private var place = 0

    private static let semicolon = UInt8(ascii: ";")
    private static let backslash = UInt8(ascii: "\\")
    private static let blank = UInt8(ascii: " ")

    init(_ field: String) { bytes = Array(field.utf8) }

    /// None is empty.
    mutating func next() -> String? {
      while place < bytes.count {
        let tag = one()
        if !tag.isEmpty { return String(decoding: tag, as: UTF8.self) }
      }
      return nil
    }

    /// The tag from `place` to the next semicolon; `place` is behind that then.
    private mutating func one() -> ArraySlice<UInt8> {
      var tag: [UInt8] = []
      // What is not to be dropped as blanks at the end.
      var end = 0
      while place < bytes.count {
        let byte = bytes[place]
        place += 1
        switch byte {
        case Tags.semicolon: return tag[..<end]
        case Tags.blank where tag.isEmpty: continue
        case Tags.blank: tag.append(byte)
        case Tags.backslash where isEscape(atStart: tag.isEmpty):
          tag.append(bytes[place])
          place += 1
          end = tag.count
        default:
          tag.append(byte)
          end = tag.count
        }
      }
      return tag[..<end]
    }

    /// Whether a backslash before `place` belongs to what comes there.
    private func isEscape(atStart: Bool) -> Bool {
      guard place < bytes.count else { return false }
      switch bytes[place] {
      case Tags.backslash, Tags.semicolon: return true
      case Tags.blank:
        if atStart { return true }
        let next = bytes[place...].first { $0 != Tags.blank }
        return next == nil || next == Tags.semicolon
      default: return false
      }
    }

    /// The field of these tags.
    static func field(of tags: [String]) -> String {
      var field: [UInt8] = []
      for tag in tags {
        if !field.isEmpty { field.append(semicolon) }
        let last = tag.utf8.count - 1
        for (place, byte) in tag.utf8.enumerated() {
          switch byte {
          case semicolon, backslash: field.append(backslash)
          case blank where place == 0 || place == last: field.append(backslash)
          default: break
          }
          field.append(byte)
        }
      }
      return String(decoding: field, as: UTF8.self)
    }
  }
}
