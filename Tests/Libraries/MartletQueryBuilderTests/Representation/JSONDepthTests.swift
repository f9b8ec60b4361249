import Dispatch
import Testing

@testable import MartletQueryBuilder

/// Deeply nested documents, on a Dispatch thread with a small stack.
@Suite struct JSONDepthTests {
  private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "depth").async { continuation.resume(returning: body()) }
    }
  }

  private static func arrays(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  /// Nested arrays as JSONB, each with a size of four bytes.
  private static func binaryArrays(_ depth: Int) -> [UInt8] {
    (1...depth).flatMap { level -> [UInt8] in
      let size = UInt32((depth - level) * 5)
      return [0xeb] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: size >> ($0 * 8)) }
    }
  }

  @Test(arguments: [1, 128]) func asDeepAsAllowed(_ depth: Int) async {
    let text = await onQueue { jsonText(ofJSONB: Self.binaryArrays(depth)) }
    #expect(text == Self.arrays(depth))
  }

  /// For text, the limit is Foundation's.
  @Test(arguments: [(500, true), (100_000, false)]) func text(_ depth: Int, isRead: Bool) async {
    let text = await onQueue { StoredJSON(text: Self.arrays(depth))?.text }
    #expect(text == (isRead ? Self.arrays(depth) : nil))
  }

  @Test(arguments: [129, 500, 100_000]) func deeper(_ depth: Int) async {
    #expect(await onQueue { jsonText(ofJSONB: Self.binaryArrays(depth)) } == nil)
  }
}
