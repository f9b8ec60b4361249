import Glibc

/// Bytes that no longer change: encoded once, shared by reference by everyone who sends them.
///
/// `@unchecked Sendable`: the memory is written before the object exists and never again.
public final class SharedBytes: @unchecked Sendable {
  @usableFromInline let base: UnsafePointer<UInt8>
  public let count: Int

  /// Takes over memory that was allocated by `UnsafeMutablePointer.allocate`.
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

  public convenience init(_ bytes: [UInt8]) {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: Swift.max(bytes.count, 1))
    bytes.withUnsafeBufferPointer {
      if let start = $0.baseAddress { memory.update(from: start, count: $0.count) }
    }
    self.init(adopting: memory, count: bytes.count)
  }

  deinit { base.deallocate() }

  @inlinable package var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base, count: count)
  }

  public func withSpan<Result, E: Error>(
    _ body: (Span<UInt8>) throws(E) -> Result
  ) throws(E) -> Result {
    try body(Span(_unsafeElements: bytes))
  }

  public var string: String { String(decoding: bytes, as: UTF8.self) }
}

extension SharedBytes: Equatable {
  public static func == (left: SharedBytes, right: SharedBytes) -> Bool {
    left === right
      || (left.count == right.count && memcmp(left.base, right.base, left.count) == 0)
  }
}
