extension CSV {
  /// The tags in a field, which are separated by semicolons. Spaces around them are ignored.
  ///
  /// In a tag, a backslash is written `\\`, a semicolon `\;`, and a leading or trailing space as a
  /// backslash followed by the space. A backslash before anything else stands for itself, as in
  /// files that were written before these rules.
  struct Tags: IteratorProtocol {
    private let bytes: [UInt8]
    private var place = 0

    private static let semicolon = UInt8(ascii: ";")
    private static let backslash = UInt8(ascii: "\\")
    private static let blank = UInt8(ascii: " ")

    /// Reads the tags of a field.
    init(_ field: String) { bytes = Array(field.utf8) }

    /// The next tag, which is not empty; `nil` at the end of the field.
    mutating func next() -> String? {
      while place < bytes.count {
        let tag = one()
        if !tag.isEmpty { return String(decoding: tag, as: UTF8.self) }
      }
      return nil
    }

    /// Reads a tag and the semicolon after it.
    private mutating func one() -> ArraySlice<UInt8> {
      var tag: [UInt8] = []
      // The length of the tag without trailing spaces.
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

    /// Whether a backslash before `place` escapes the byte at `place`.
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

    /// Joins tags into a field.
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
