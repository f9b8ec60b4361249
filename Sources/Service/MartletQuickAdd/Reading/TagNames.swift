@_spi(_Unicode) import Swift

/// The tags of a text, each once.
struct TagNames {
  private(set) var names: [String] = []
  private var keys: Set<String> = []

  /// The maximum number of tags.
  static let most = 5
  /// The maximum length of a tag in Unicode scalars.
  static let longest = 100

  /// Whether a text can be a tag. A repetition of a tag does not count for the maximum.
  func canAdd(_ text: String) -> Bool {
    TagNames.isValid(text) && (names.count < TagNames.most || keys.contains(TagNames.key(text)))
  }

  mutating func add(_ text: String) {
    if keys.insert(TagNames.key(text)).inserted { names.append(TagNames.normalized(text)) }
  }

  /// The rules of the API for the title of a tag. Here it also needs more than punctuation.
  private static func isValid(_ text: String) -> Bool {
    let scalars = normalized(text).unicodeScalars
    return scalars.contains(where: isName) && scalars.count <= longest
      && scalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }

  /// Whether a scalar is a letter, a digit or an emoji.
  private static func isName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || scalar.properties.isEmojiPresentation
  }

  private static func normalized(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text._nfc)
    return String(scalars)
  }

  /// Tags are equal if they differ in the case of ASCII letters only.
  static func key(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text._nfc {
      let isCapital = 0x41...0x5A ~= scalar.value
      scalars.append(isCapital ? Unicode.Scalar(UInt8(scalar.value | 0x20)) : scalar)
    }
    return String(scalars)
  }
}
