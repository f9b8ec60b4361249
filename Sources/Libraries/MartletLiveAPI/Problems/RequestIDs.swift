import Synchronization

/// Generates IDs for requests without an `X-Request-ID`.
///
/// The IDs are not secret. They are unique within a process; the prefix distinguishes processes.
final class RequestIDs: Sendable {
  private let prefix: [UInt8]
  private let last = Atomic<UInt64>(0)

  /// `start` distinguishes this process from earlier ones, for example the start time in
  /// milliseconds.
  init(start: UInt64) { prefix = Array("\(String(start, radix: 36))-".utf8) }

  func next() -> String {
    var rest = last.add(1, ordering: .relaxed).newValue
    var count = prefix.count + 1
    var power: UInt64 = 36
    while count < prefix.count + 12, rest >= power {
      count += 1
      power *= 36
    }
    // Strings of up to 15 bytes are stored inline, without an allocation.
    return String(unsafeUninitializedCapacity: count) { text in
      for place in prefix.indices { text[place] = prefix[place] }
      for place in (prefix.count..<count).reversed() {
        let digit = UInt8(rest % 36)
        text[place] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        rest /= 36
      }
      return count
    }
  }
}
