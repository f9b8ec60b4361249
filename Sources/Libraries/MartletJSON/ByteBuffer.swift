import Glibc

/// A growable byte buffer, into which responses are written and requests are read.
///
/// It is a class over raw memory: an `Array` would check uniqueness and bounds for every byte, and
/// a buffer is passed by reference from the row writer to the socket. It is not `Sendable`.
/// ``share()`` turns its content into an immutable, shareable value.
public final class ByteBuffer {
  @usableFromInline @exclusivity(unchecked) var base: UnsafeMutablePointer<UInt8>
  @usableFromInline @exclusivity(unchecked) var used = 0
  @usableFromInline @exclusivity(unchecked) var room: Int

  /// Makes an empty buffer with room for at least `capacity` bytes.
  public init(capacity: Int = 4096) {
    room = Swift.max(capacity, 16)
    base = .allocate(capacity: room)
  }

  deinit { base.deallocate() }

  /// The number of bytes written.
  @inlinable public var count: Int { used }
  /// Whether no byte is written.
  @inlinable public var isEmpty: Bool { used == 0 }
  /// The number of bytes that fit without reallocation.
  @inlinable public var capacity: Int { room }

  /// Calls `body` with the bytes written so far.
  public func withSpan<Result, E: Error>(_ body: (Span<UInt8>) throws(E) -> Result) throws(E)
    -> Result
  {
    try body(Span(_unsafeElements: bytes))
  }

  /// The bytes written so far. Valid until the next change of the buffer.
  @inlinable package var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base, count: used)
  }

  /// Makes room for `more` further bytes.
  @inlinable @inline(__always) public func reserve(_ more: Int) {
    if room &- used < more { grow(more) }
  }

  @usableFromInline @inline(never) func grow(_ more: Int) {
    let bigger = Swift.max(room * 2, used + more)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: bigger)
    moved.update(from: base, count: used)
    base.deallocate()
    base = moved
    room = bigger
  }

  /// Appends a byte.
  @inlinable @inline(__always) public func append(_ byte: UInt8) {
    reserve(1)
    base[used] = byte
    used &+= 1
  }

  /// Appends a copy of the bytes.
  @inlinable @inline(__always) package func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count)
    (base + used).update(from: start, count: bytes.count)
    used &+= bytes.count
  }

  /// Appends the UTF-8 bytes of a literal.
  @inlinable @inline(__always) public func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends the bytes of an array.
  @inlinable public func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  /// Appends the text's UTF-8 bytes without escaping them.
  @inlinable public func append(utf8 text: some StringProtocol) {
    let done: Void? = text.utf8.withContiguousStorageIfAvailable { append($0) }
    if done == nil { for byte in text.utf8 { append(byte) } }
  }

  /// Appends a few bytes, copied a word at a time: seven bytes after the source must be readable.
  @inlinable @inline(__always) package func append(padded start: UnsafePointer<UInt8>, count: Int) {
    reserve(count &+ 8)
    let source = UnsafeRawPointer(start)
    let target = UnsafeMutableRawPointer(base + used)
    var copied = 0
    while copied < count {
      target.storeBytes(
        of: source.loadUnaligned(fromByteOffset: copied, as: UInt64.self), toByteOffset: copied,
        as: UInt64.self)
      copied &+= 8
    }
    used &+= count
  }

  /// Appends a number in decimal digits.
  @inlinable public func append(decimal value: Int) {
    reserve(20)
    if value < 0 {
      base[used] = 0x2D
      used &+= 1
    }
    var rest = value.magnitude
    var digits = 1
    var power: UInt = 10
    // Counts the digits by multiplication: counting by division would take as long as printing.
    while rest >= power {
      digits &+= 1
      let (next, overflow) = power.multipliedReportingOverflow(by: 10)
      if overflow { break }
      power = next
    }
    var at = used &+ digits
    used = at
    repeat {
      at &-= 1
      let tenth = rest / 10
      base[at] = UInt8(truncatingIfNeeded: rest &- tenth &* 10) &+ 0x30
      rest = tenth
    } while rest > 0
  }

  /// Appends up to `count` bytes that `fill` writes. Returns the number of bytes that `fill`
  /// reports.
  @inlinable package func append<E: Error>(
    upTo count: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) throws(E) -> Int
  ) throws(E) -> Int {
    reserve(count)
    let written = try fill(UnsafeMutableBufferPointer(start: base + used, count: count))
    precondition(written >= 0 && written <= count)
    used &+= written
    return written
  }

  /// Removes everything from position `count` on, for example the output of a writer that failed.
  public func truncate(to count: Int) {
    precondition(count >= 0 && count <= used)
    used = count
  }

  /// Removes the first `count` bytes and moves the rest to the front.
  public func removeFirst(_ count: Int) {
    precondition(count >= 0 && count <= used)
    used -= count
    if used > 0, count > 0 {
      memmove(base, base + count, used)
    }
  }

  /// Removes everything. A capacity above `limit` is released, so that one large response does not
  /// occupy memory forever.
  public func removeAll(keepingCapacityUpTo limit: Int = 1 << 18) {
    used = 0
    if room > limit {
      base.deallocate()
      room = limit
      base = .allocate(capacity: room)
    }
  }

  /// Moves the bytes into an immutable value that other threads can use, and empties the buffer.
  /// The bytes are copied only if they fill less than half of the capacity.
  public func share() -> SharedBytes {
    if used * 2 >= room {
      let taken = SharedBytes(adopting: base, count: used)
      room = 4096
      base = .allocate(capacity: room)
      used = 0
      return taken
    }
    let copied = SharedBytes(bytes)
    used = 0
    return copied
  }
}
