/// An entity tag that identifies the bytes of a response by their XXH64 hash
/// (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md).
///
/// The hash is the same in every run and on every machine. It is not cryptographic: it detects
/// changes, not forgeries.
public struct ETag: Sendable, Hashable {
  /// The hash of the bytes.
  public let hash: UInt64

  /// A tag with a known hash.
  public init(hash: UInt64) { self.hash = hash }

  /// The tag of `bytes`. Different seeds give unrelated hashes.
  package init(hashing bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) {
    hash = XXH64.hash(bytes, seed: seed)
  }

  /// The tag of `bytes`. Different seeds give unrelated hashes.
  package init(hashing bytes: UnsafeBufferPointer<UInt8>, seed: UInt64 = 0) {
    self.init(hashing: UnsafeRawBufferPointer(bytes), seed: seed)
  }

  /// The tag of `bytes`. Different seeds give unrelated hashes.
  public init(hashing bytes: [UInt8], seed: UInt64 = 0) {
    hash = bytes.withUnsafeBytes { XXH64.hash($0, seed: seed) }
  }
}

extension ETag: CustomStringConvertible {
  /// A strong entity tag (RFC 9110, section 8.8.3): 16 hexadecimal digits in quotes.
  public var description: String {
    // Written in place: concatenating strings took 5 % of the time of a read by ID.
    String(unsafeUninitializedCapacity: 18) { text in
      text[0] = UInt8(ascii: "\"")
      for digit in 0..<16 {
        let value = UInt8(truncatingIfNeeded: hash &>> UInt64(4 * (15 - digit))) & 15
        text[digit + 1] = value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
      }
      text[17] = UInt8(ascii: "\"")
      return 18
    }
  }
}

/// The XXH64 algorithm, with the names of its specification.
private enum XXH64 {
  static let prime1: UInt64 = 0x9e37_79b1_85eb_ca87
  static let prime2: UInt64 = 0xc2b2_ae3d_27d4_eb4f
  static let prime3: UInt64 = 0x1656_67b1_9e37_79f9
  static let prime4: UInt64 = 0x85eb_ca77_c2b2_ae63
  static let prime5: UInt64 = 0x27d4_eb2f_1656_67c5

  static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var offset = 0
    var sum: UInt64
    if bytes.count >= 32 {
      var (one, two) = (seed &+ prime1 &+ prime2, seed &+ prime2)
      var (three, four) = (seed, seed &- prime1)
      while offset &+ 32 <= bytes.count {
        one = round(one, word(bytes, offset))
        two = round(two, word(bytes, offset &+ 8))
        three = round(three, word(bytes, offset &+ 16))
        four = round(four, word(bytes, offset &+ 24))
        offset &+= 32
      }
      sum = rotate(one, 1) &+ rotate(two, 7) &+ rotate(three, 12) &+ rotate(four, 18)
      for lane in [one, two, three, four] {
        sum = (sum ^ round(0, lane)) &* prime1 &+ prime4
      }
    } else {
      sum = seed &+ prime5
    }
    sum &+= UInt64(bytes.count)
    while offset &+ 8 <= bytes.count {
      sum = rotate(sum ^ round(0, word(bytes, offset)), 27) &* prime1 &+ prime4
      offset &+= 8
    }
    if offset &+ 4 <= bytes.count {
      let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      sum = rotate(sum ^ (UInt64(half) &* prime1), 23) &* prime2 &+ prime3
      offset &+= 4
    }
    while offset < bytes.count {
      sum = rotate(sum ^ (UInt64(bytes[offset]) &* prime5), 11) &* prime1
      offset &+= 1
    }
    sum = (sum ^ (sum >> 33)) &* prime2
    sum = (sum ^ (sum >> 29)) &* prime3
    return sum ^ (sum >> 32)
  }

  @inline(__always) static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotate(lane &+ word &* prime2, 31) &* prime1
  }

  @inline(__always) static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value &<< count | value &>> (64 &- count)
  }

  @inline(__always) static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
