import CCrypt
import Glibc

/// What a client shows to be let in: a key, `mk_3_nh6s…`, or a live session, `ls_7_q2vd…`. The number is its row's
/// id, the rest a secret of 160 random bits.
struct Credential: Sendable {
  enum Kind: String, Sendable { case key = "mk", session = "ls" }

  let kind: Kind
  let id: Int
  let secret: Secret

  init(_ kind: Kind, id: Int, _ secret: Secret) {
    self.kind = kind
    self.id = id
    self.secret = secret
  }

  init?(_ text: Substring) {
    let pieces = text.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
    guard pieces.count == 3, let kind = Kind(rawValue: String(pieces[0])), let id = Int(pieces[1]),
      id > 0, String(id) == pieces[1], let secret = Secret(pieces[2])
    else { return nil }
    self.init(kind, id: id, secret)
  }

  var text: String { "\(kind.rawValue)_\(id)_\(secret.text)" }
}

/// 160 random bits, as 32 characters of five.
struct Secret: Equatable, Sendable {
  private let bytes: [UInt8]

  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
  private static let length = 32

  /// A new one, from the system's source of randomness (getrandom(2)).
  init() {
    var random = SystemRandomNumberGenerator()
    bytes = (0..<Secret.length).map { _ in
      Secret.alphabet[Int.random(in: Secret.alphabet.indices, using: &random)]
    }
  }

  init?(_ text: Substring) {
    guard text.utf8.count == Secret.length, text.utf8.allSatisfy(Secret.alphabet.contains) else {
      return nil
    }
    bytes = Array(text.utf8)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Takes as long where the first character differs as where the last one does.
  static func == (one: Secret, other: Secret) -> Bool { areEqual(one.bytes, other.bytes) }

  private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    var difference: UInt8 = 0
    for (one, other) in zip(one, other) { difference |= one ^ other }
    return difference == 0
  }

  // MARK: Hashes

  /// SHA-512 crypt with its fewest rounds: half a millisecond. More would only make guesses cost the server
  /// more; nobody tries 2^160 of them (https://manpages.debian.org/crypt.5).
  func hash() throws(HashingFailed) -> String {
    var setting = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
    guard crypt_gensalt_rn("$6$", 1000, nil, 0, &setting, Int32(setting.count)) != nil,
      let hash = crypted(setting)
    else { throw HashingFailed() }
    return String(decoding: hash, as: UTF8.self)
  }

  func matches(_ hash: String) -> Bool {
    guard let own = crypted(hash.utf8CString.map { $0 }) else { return false }
    return Secret.areEqual(own, Array(hash.utf8))
  }

  /// `setting` is a salt, or a hash, which begins with its own.
  private func crypted(_ setting: [CChar]) -> [UInt8]? {
    // Too large for a thread's stack, and to be zero at the beginning.
    let size = MemoryLayout<crypt_data>.size
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    memset(memory, 0, size)
    defer {
      explicit_bzero(memory, size)
      memory.deallocate()
    }
    var phrase = bytes.map { CChar(bitPattern: $0) } + [0]
    defer { explicit_bzero(&phrase, phrase.count) }
    guard let hash = crypt_rn(phrase, setting, memory, Int32(size)) else { return nil }
    return Array(UnsafeRawBufferPointer(start: hash, count: strlen(hash)))
  }
}

/// crypt(3) or its source of salts has failed.
public struct HashingFailed: Error, CustomStringConvertible {
  public let description = "crypt(3) makes no SHA-512 hashes here"
}
