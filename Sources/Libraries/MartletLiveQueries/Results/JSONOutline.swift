/// Finds the members of an object and the elements of an array in JSON text without decoding it.
///
/// It accepts only compact JSON as this program writes it. Its functions return `nil` for anything
/// else.
struct JSONOutline {
  let bytes: UnsafeBufferPointer<UInt8>

  struct Member {
    /// The name including its quotation marks.
    var name: Range<Int>
    var value: Range<Int>
  }

  /// The members of the object in `range`.
  func members(in range: Range<Int>) -> [Member]? {
    var members: [Member] = []
    var place = range.lowerBound
    guard take(UInt8(ascii: "{"), &place, range.upperBound) else { return nil }
    if take(UInt8(ascii: "}"), &place, range.upperBound) {
      return place == range.upperBound ? members : nil
    }
    while true {
      let name = place
      guard skipString(&place, range.upperBound) else { return nil }
      let nameEnd = place
      guard take(UInt8(ascii: ":"), &place, range.upperBound) else { return nil }
      let value = place
      guard skipValue(&place, range.upperBound) else { return nil }
      members.append(Member(name: name..<nameEnd, value: value..<place))
      if take(UInt8(ascii: ","), &place, range.upperBound) { continue }
      guard take(UInt8(ascii: "}"), &place, range.upperBound), place == range.upperBound else {
        return nil
      }
      return members
    }
  }

  /// The elements of the array in `range`.
  func elements(in range: Range<Int>) -> [Range<Int>]? {
    var elements: [Range<Int>] = []
    var place = range.lowerBound
    guard take(UInt8(ascii: "["), &place, range.upperBound) else { return nil }
    if take(UInt8(ascii: "]"), &place, range.upperBound) {
      return place == range.upperBound ? elements : nil
    }
    while true {
      let start = place
      guard skipValue(&place, range.upperBound) else { return nil }
      elements.append(start..<place)
      if take(UInt8(ascii: ","), &place, range.upperBound) { continue }
      guard take(UInt8(ascii: "]"), &place, range.upperBound), place == range.upperBound else {
        return nil
      }
      return elements
    }
  }

  func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[range])
  }

  private func take(_ byte: UInt8, _ place: inout Int, _ end: Int) -> Bool {
    guard place < end, bytes[place] == byte else { return false }
    place += 1
    return true
  }

  private func skipString(_ place: inout Int, _ end: Int) -> Bool {
    guard take(UInt8(ascii: "\""), &place, end) else { return false }
    while place < end {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        place += 1
        return true
      case UInt8(ascii: "\\"): place += 2
      default: place += 1
      }
    }
    return false
  }

  private func skipValue(_ place: inout Int, _ end: Int) -> Bool {
    guard place < end else { return false }
    switch bytes[place] {
    case UInt8(ascii: "\""): return skipString(&place, end)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return skipNested(&place, end)
    default:
      let start = place
      while place < end, !isEndOfScalar(bytes[place]) { place += 1 }
      return place > start
    }
  }

  private func skipNested(_ place: inout Int, _ end: Int) -> Bool {
    var depth = 0
    while place < end {
      switch bytes[place] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        place += 1
        if depth == 0 { return true }
      case UInt8(ascii: "\""): guard skipString(&place, end) else { return false }
      default: place += 1
      }
    }
    return false
  }

  private func isEndOfScalar(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
  }
}
