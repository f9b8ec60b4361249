import Glibc

/// Immutable bytes: encoded once, then shared by reference by all their senders.
///
/// `@unchecked Sendable`: the memory is written before the object exists and never changes.
public final class SharedBytes: @unchecked Sendable {
  @usableFromInline let base: UnsafePointer<UInt8>
  /// The number of bytes.
  public let count: Int

  /// Takes ownership of memory allocated by `UnsafeMutablePointer.allocate`.
  init(adopting memory: UnsafeMutablePointer<UInt8>, count: Int) {
    base = UnsafePointer(memory)
    self.count = count
  }

  /// Copies `bytes`.
  package convenience init(_ bytes: UnsafeBufferPointer<UInt8>) {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: Swift.max(bytes.count, 1))
    if let start = bytes.baseAddress { memory.update(from: start, count: bytes.count) }
    self.init(adopting: memory, count: bytes.count)
  }

  /// Copies the bytes of an array.
  public convenience init(_ bytes: [UInt8]) {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: Swift.max(bytes.count, 1))
    bytes.withUnsafeBufferPointer {
      if let start = $0.baseAddress { memory.update(from: start, count: $0.count) }
    }
    self.init(adopting: memory, count: bytes.count)
  }

  deinit { base.deallocate() }

  /// The bytes, valid as long as this object lives.
  @inlinable package var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base, count: count)
  }

  /// Calls `body` with the bytes.
  public func withSpan<Result, E: Error>(
    _ body: (Span<UInt8>) throws(E) -> Result
  ) throws(E) -> Result {
    try body(Span(_unsafeElements: bytes))
  }

  /// The bytes as a string. Malformed UTF-8 is replaced by U+FFFD.
  public var string: String { String(decoding: bytes, as: UTF8.self) }
}

extension SharedBytes: Equatable {
  public static func == (left: SharedBytes, right: SharedBytes) -> Bool {
    left === right
      || (left.count == right.count && memcmp(left.base, right.base, left.count) == 0)
  }
}
