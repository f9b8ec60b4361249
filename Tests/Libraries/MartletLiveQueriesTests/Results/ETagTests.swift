import MartletLiveQueries
import Testing

@Suite struct ETagTests {
  /// Hashes computed by the reference implementation.
  @Test(
    arguments: [
      ("", 0xef46_db37_51d8_e999), ("a", 0xd24e_c4f1_a98c_6e5b), ("abc", 0x44bc_2cf5_ad77_0999),
      ("The quick brown fox jumps over the lazy dog", 0x0b24_2d36_1fda_71bc),
    ] as [(String, UInt64)])
  func knownAnswers(text: String, hash: UInt64) {
    #expect(ETag(hashing: Array(text.utf8)).hash == hash)
  }

  @Test func isAQuotedStringOf16Digits() {
    #expect(ETag(hash: 0xa0b).description == "\"0000000000000a0b\"")
    #expect(ETag(hash: .max).description == "\"ffffffffffffffff\"")
  }

  /// Each bit of the input flips about half of the output, at lengths that cover every code path.
  @Test(arguments: [1, 4, 8, 12, 31, 32, 33, 64, 100])
  func oneBitChangesHalf(length: Int) {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
    let before = ETag(hashing: bytes).hash
    var turned = 0
    for bit in 0..<(length * 8) {
      var other = bytes
      other[bit / 8] ^= 1 << UInt8(bit % 8)
      let difference = (ETag(hashing: other).hash ^ before).nonzeroBitCount
      #expect(difference > 10)
      turned += difference
    }
    let average = Double(turned) / Double(length * 8)
    #expect(average > 26 && average < 38)
  }

  @Test func theSeedAndTheAlignmentMatterAsTheyShould() {
    let bytes = (0..<100).map { UInt8($0) }
    #expect(ETag(hashing: bytes, seed: 1) != ETag(hashing: bytes))
    bytes.withUnsafeBytes { whole in
      let shifted = UnsafeRawBufferPointer(rebasing: whole[3...])
      #expect(ETag(hashing: shifted) == ETag(hashing: Array(bytes[3...])))
    }
  }
}
