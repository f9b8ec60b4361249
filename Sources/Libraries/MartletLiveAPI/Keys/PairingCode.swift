/// A code that people read from one device and type into another: `K3FM9-QXR7T`, 50 random bits.
///
/// The first two characters are the selector, by which the code is found. The others are secret.
struct PairingCode: Equatable, Sendable {
  /// The characters, without the hyphen.
  let characters: [UInt8]

  /// Digits, and letters without pairs that look alike (https://www.crockford.com/base32.html).
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  private static let length = 10
  private static let selectorLength = 2

  /// Makes a code from the system's random number generator.
  init() {
    var random = SystemRandomNumberGenerator()
    characters = (0..<PairingCode.length).map { _ in
      PairingCode.alphabet[Int.random(in: PairingCode.alphabet.indices, using: &random)]
    }
  }

  /// Reads a code as people type it: in small letters, with spaces or without a hyphen, with O for
  /// 0, and with I or L for 1. `nil` if it is no code.
  init?(_ text: String) {
    var characters: [UInt8] = []
    for byte in text.utf8.prefix(40) {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "-"): continue
      case UInt8(ascii: "O"), UInt8(ascii: "o"): characters.append(UInt8(ascii: "0"))
      case UInt8(ascii: "I"), UInt8(ascii: "i"), UInt8(ascii: "L"), UInt8(ascii: "l"):
        characters.append(UInt8(ascii: "1"))
      case UInt8(ascii: "a")...UInt8(ascii: "z"): characters.append(byte - 0x20)
      default: characters.append(byte)
      }
    }
    guard text.utf8.count <= 40, characters.count == PairingCode.length,
      characters.allSatisfy(PairingCode.alphabet.contains)
    else { return nil }
    self.characters = characters
  }

  var selector: String {
    String(decoding: characters.prefix(PairingCode.selectorLength), as: UTF8.self)
  }

  var text: String {
    let half = PairingCode.length / 2
    return String(decoding: characters.prefix(half), as: UTF8.self) + "-"
      + String(decoding: characters.dropFirst(half), as: UTF8.self)
  }

  func hash() throws(HashingFailed) -> String { try CryptHash.of(characters) }
  func matches(_ hash: String) -> Bool { CryptHash.isOf(characters, hash) }
}
