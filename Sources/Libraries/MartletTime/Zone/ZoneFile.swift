/// The content of a TZif file (RFC 8536, versions 1 to 4): offsets from UTC, the instants at which
/// they change, and a rule for the time after the last stored change.
struct ZoneFile: Sendable {
  /// The seconds since 1970 UTC at which the offset changes, ascending.
  let transitions: [Int64]
  /// The offset from each transition on, in seconds east of UTC.
  let offsets: [Int32]
  /// The offset before the first transition.
  let firstOffset: Int32
  let rule: ZoneRule?

  /// A zone with a constant offset.
  init(fixedOffset: Int32) {
    transitions = []
    offsets = []
    firstOffset = fixedOffset
    rule = nil
  }

  /// Parses a file's bytes.
  init(_ bytes: [UInt8]) throws(Damage) {
    var reader = Reader(bytes)
    var header = try reader.header()
    var timeSize = 4
    if header.version >= 2 {
      // Version 2 and later repeat the data with 64-bit times, so the 32-bit block is skipped.
      try reader.skip(header.size(timeSize: 4))
      header = try reader.header()
      timeSize = 8
    }
    // Files whose times include leap seconds ("right/…") do not match POSIX time.
    guard header.leapSeconds == 0 else { throw Damage("its times include leap seconds") }
    guard header.types > 0, header.characters > 0 else { throw Damage("no local time types") }

    var transitions: [Int64] = []
    transitions.reserveCapacity(header.transitions)
    for _ in 0..<header.transitions {
      let time = timeSize == 8 ? try reader.int64() : Int64(try reader.int32())
      if let last = transitions.last, last >= time { throw Damage("transitions out of order") }
      transitions.append(time)
    }
    let typeIndices = try reader.take(header.transitions)
    var typeOffsets: [Int32] = []
    for _ in 0..<header.types {
      let offset = try reader.int32()
      // RFC 8536 section 3.2: offsets SHOULD lie between -24:59:59 and +25:59:59.
      guard (-89_999...93_599).contains(offset) else { throw Damage("an offset of over a day") }
      typeOffsets.append(offset)
      try reader.skip(2)
    }
    guard typeIndices.allSatisfy({ $0 < header.types }) else {
      throw Damage("a transition to a type that does not exist")
    }
    try reader.skip(header.characters + header.standardIndicators + header.utcIndicators)

    self.transitions = transitions
    offsets = typeIndices.map { typeOffsets[Int($0)] }
    firstOffset = typeOffsets[0]
    rule = timeSize == 8 ? try reader.footer() : nil
  }

  /// The offset at `second` (since 1970 UTC), in seconds east of UTC.
  func offset(at second: Int64) -> Int {
    guard let last = transitions.last else { return rule?.offset(at: second) ?? Int(firstOffset) }
    if second >= last { return rule?.offset(at: second) ?? Int(offsets[offsets.count - 1]) }
    let following = firstTransition(after: second)
    return Int(following == 0 ? firstOffset : offsets[following - 1])
  }

  /// The next second after `second` at which the offset may change, or `nil` if it never does.
  func nextTransition(after second: Int64) -> Int64? {
    let following = firstTransition(after: second)
    return following < transitions.count
      ? transitions[following] : rule?.nextChange(after: second)
  }

  private func firstTransition(after second: Int64) -> Int {
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= second { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension ZoneFile {
  /// Why a file is invalid.
  struct Damage: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// The counts in the header of a data block, RFC 8536 section 3.1.
  private struct Header {
    var version: Int
    var utcIndicators, standardIndicators, leapSeconds, transitions, types, characters: Int

    func size(timeSize: Int) -> Int {
      transitions * (timeSize + 1) + types * 6 + characters + leapSeconds * (timeSize + 4)
        + standardIndicators + utcIndicators
    }
  }

  private struct Reader {
    let bytes: [UInt8]
    var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func take(_ count: Int) throws(Damage) -> ArraySlice<UInt8> {
      guard count <= bytes.count - at else { throw Damage("it ends too early") }
      defer { at += count }
      return bytes[at..<at + count]
    }

    mutating func skip(_ count: Int) throws(Damage) { _ = try take(count) }

    mutating func int32() throws(Damage) -> Int32 {
      Int32(bitPattern: try take(4).reduce(0) { $0 << 8 | UInt32($1) })
    }

    mutating func int64() throws(Damage) -> Int64 {
      Int64(bitPattern: try take(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// A count cannot exceed the size of the file, so that sums of counts never overflow.
    mutating func count() throws(Damage) -> Int {
      let count = try int32()
      guard count >= 0, count <= bytes.count else { throw Damage("an impossible count") }
      return Int(count)
    }

    mutating func header() throws(Damage) -> Header {
      guard try take(4).elementsEqual("TZif".utf8) else { throw Damage("it is not a TZif file") }
      // NUL is version 1, then ASCII digits. Later versions only add to version 2.
      let version = try take(1).first!
      try skip(15)
      return Header(
        version: version == 0 ? 1 : Int(version &- 0x30), utcIndicators: try count(),
        standardIndicators: try count(), leapSeconds: try count(), transitions: try count(),
        types: try count(), characters: try count())
    }

    /// Reads a line feed, the rule and a line feed. Returns `nil` for an empty rule.
    mutating func footer() throws(Damage) -> ZoneRule? {
      let rest = bytes[at...]
      guard rest.first == 0x0A, let end = rest.dropFirst().firstIndex(of: 0x0A) else {
        throw Damage("it has no footer")
      }
      let text = rest[(at + 1)..<end]
      if text.isEmpty { return nil }
      guard let rule = ZoneRule(text) else { throw Damage("its footer is not a TZ rule") }
      return rule
    }
  }
}
