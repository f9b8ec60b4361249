import MartletJSON
import Testing

struct ByteBufferTests {
  private func text(_ buffer: ByteBuffer) -> String {
    String(decoding: buffer.bytes, as: UTF8.self)
  }

  @Test func growsAsItIsWritten() {
    let buffer = ByteBuffer(capacity: 0)
    for number in 0..<1000 { buffer.append(decimal: number) }
    let expected = (0..<1000).map { String($0) }.joined()
    #expect(text(buffer) == expected)
    #expect(buffer.capacity >= buffer.count)
  }

  @Test func decimals() {
    for value in [0, -1, 9, 10, 99, 100, 12_345, Int.max, Int.min] {
      let buffer = ByteBuffer()
      buffer.append(decimal: value)
      #expect(text(buffer) == String(value))
    }
  }

  @Test func truncatesAndRemoves() {
    let buffer = ByteBuffer()
    buffer.append("hello, world" as StaticString)
    buffer.truncate(to: 5)
    #expect(text(buffer) == "hello")
    buffer.removeFirst(2)
    #expect(text(buffer) == "llo")
    buffer.removeFirst(3)
    #expect(buffer.isEmpty)
    buffer.append(utf8: "é".dropFirst(0))
    #expect(buffer.count == 2)
    buffer.removeAll(keepingCapacityUpTo: 0)
    buffer.append(UInt8(ascii: "x"))
    #expect(text(buffer) == "x")
  }

  @Test func fillsItsOwnRoom() throws {
    let buffer = ByteBuffer(capacity: 16)
    let written = buffer.append(upTo: 100) { room in
      for place in 0..<40 { room[place] = UInt8(ascii: "a") }
      return 40
    }
    #expect(written == 40)
    #expect(text(buffer) == String(repeating: "a", count: 40))
  }

  @Test(arguments: [1, 3000, 5000]) func sharedBytesStay(_ count: Int) {
    let buffer = ByteBuffer(capacity: 4096)
    buffer.append([UInt8](repeating: 0x61, count: count))
    let shared = buffer.share()
    #expect(buffer.isEmpty)
    buffer.append([UInt8](repeating: 0x62, count: count))
    #expect(shared.string == String(repeating: "a", count: count))
    #expect(shared == SharedBytes([UInt8](repeating: 0x61, count: count)))
    #expect(shared != buffer.share())
    #expect(SharedBytes([]) == SharedBytes([]))
  }
}
