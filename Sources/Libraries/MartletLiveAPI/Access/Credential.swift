import CMartletSystem
import Glibc

/// The credential of a request: a key, `mk_3_nh6s…`, or a live session, `ls_7_q2vd…`. The number is
/// the ID of its row, the rest is a secret of 160 random bits.
struct Credential: Sendable {
  enum Kind: String, Sendable { case key = "mk", session = "ls" }

  let kind: Kind
  let id: Int
  let secret: Secret
  /// The ID of the key; `nil` for a live session, whose ID is not that of a key.
  var keyID: Int? { kind == .key ? id : nil }

  init(_ kind: Kind, id: Int, _ secret: Secret) {
    self.kind = kind
    self.id = id
    self.secret = secret
  }

  init?(_ text: UnsafeBufferPointer<UInt8>) {
    let mark = UInt8(ascii: "_")
    guard text.count > 4, text[2] == mark else { return nil }
    switch (text[0], text[1]) {
    case (UInt8(ascii: "m"), UInt8(ascii: "k")): kind = .key
    case (UInt8(ascii: "l"), UInt8(ascii: "s")): kind = .session
    default: return nil
    }
    var id = 0
    var place = 3
    while place < text.count, text[place] != mark {
      let digit = Int(text[place]) - 0x30
      // Only the canonical form of a number is accepted.
      guard (0...9).contains(digit), place < 3 + 18, id > 0 || digit > 0 else { return nil }
      id = id * 10 + digit
      place += 1
    }
    guard id > 0,
      let secret = Secret(UnsafeBufferPointer(rebasing: text[min(place + 1, text.count)...]))
    else { return nil }
    self.id = id
    self.secret = secret
  }

  init?(_ text: String) {
    var text = text
    guard let credential = text.withUTF8({ Credential($0) }) else { return nil }
    self = credential
  }

  var text: String { "\(kind.rawValue)_\(id)_\(secret.text)" }
}

/// 160 random bits as 32 characters of 5 bits each.
struct Secret: Sendable {
  /// The bytes of the characters.
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
  private static let length = 32

  /// Creates a secret from the system's random number generator (getrandom(2)).
  init() {
    var random = SystemRandomNumberGenerator()
    withUnsafeMutableBytes(of: &words) { bytes in
      for place in bytes.indices {
        bytes[place] = Secret.alphabet[Int.random(in: Secret.alphabet.indices, using: &random)]
      }
    }
  }

  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard text.count == Secret.length, text.allSatisfy(Secret.isOfAlphabet) else { return nil }
    withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: UnsafeRawBufferPointer(text)) }
  }

  private static func isOfAlphabet(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains(byte)
  }

  private var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }
  var text: String { String(decoding: bytes, as: UTF8.self) }

  // MARK: Hashes

  /// The SHA-512 crypt hash of the secret with the minimum number of rounds, which takes half a
  /// millisecond. More rounds would only make guesses more expensive for the server: a secret of
  /// 160 bits cannot be guessed offline (https://manpages.debian.org/crypt.5).
  func hash() throws(HashingFailed) -> String { try CryptHash.of(bytes) }

  func matches(_ hash: String) -> Bool { CryptHash.isOf(bytes, hash) }
}

/// Hashes of secrets by crypt(3).
enum CryptHash {
  /// The SHA-512 crypt hash of a secret, with the minimum number of rounds.
  static func of(_ secret: [UInt8]) throws(HashingFailed) -> String {
    var setting = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
    guard crypt_gensalt_rn("$6$", 1000, nil, 0, &setting, Int32(setting.count)) != nil,
      let hash = crypted(secret, setting)
    else { throw HashingFailed() }
    return String(decoding: hash, as: UTF8.self)
  }

  /// Whether a hash is of this secret.
  static func isOf(_ secret: [UInt8], _ hash: String) -> Bool {
    guard let own = crypted(secret, hash.utf8CString.map { $0 }) else { return false }
    return areEqual(own, Array(hash.utf8))
  }

  private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    var difference: UInt8 = 0
    for (one, other) in zip(one, other) { difference |= one ^ other }
    return difference == 0
  }

  /// The hash of a secret. `setting` is a salt, or a hash, which begins with its salt.
  private static func crypted(_ secret: [UInt8], _ setting: [CChar]) -> [UInt8]? {
    // `crypt_data` is too large for a thread's stack and must be zeroed.
    let size = MemoryLayout<crypt_data>.size
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    memset(memory, 0, size)
    defer {
      explicit_bzero(memory, size)
      memory.deallocate()
    }
    var phrase = secret.map { CChar(bitPattern: $0) } + [0]
    defer { explicit_bzero(&phrase, phrase.count) }
    guard let hash = crypt_rn(phrase, setting, memory, Int32(size)) else { return nil }
    return Array(UnsafeRawBufferPointer(start: hash, count: strlen(hash)))
  }
}

/// crypt(3) or its salt generator failed.
public struct HashingFailed: Error, CustomStringConvertible {
  /// The failed call, for a log.
  public let description = "crypt(3) could not compute a SHA-512 hash"
}

extension Secret: Equatable {
  /// Compares in constant time.
  static func == (one: Secret, other: Secret) -> Bool {
    let (one, other) = (one.words, other.words)
    return (one.0 ^ other.0) | (one.1 ^ other.1) | (one.2 ^ other.2) | (one.3 ^ other.3) == 0
  }
}
