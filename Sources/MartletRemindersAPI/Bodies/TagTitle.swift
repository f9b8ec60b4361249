import MartletLiveAPI
@_spi(_Unicode) import Swift

/// Validates titles of tags, and normalizes them to NFC, so that equivalent texts are the same tag.
enum TagTitle {
  /// The maximum length in Unicode scalars.
  static let longest = 100

  /// Returns the normalized title, or the reason why it is invalid.
  static func read(_ text: String) -> Result<String, FieldReason> {
    var scalars = String.UnicodeScalarView()
    // The standard library's normalization, which has no public API yet.
    scalars.append(contentsOf: text._nfc)
    let title = String(scalars)
    if title.isEmpty { return .failure(FieldReason("a tag must not be empty")) }
    if title == "." || title == ".." {
      // Clients remove such a segment from a path, so the tag could not be requested.
      return .failure(FieldReason("\"\(title)\" cannot be a tag"))
    }
    if scalars.count > longest {
      return .failure(FieldReason("expected at most \(longest) characters, got \(scalars.count)"))
    }
    if scalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return .failure(FieldReason("contains a control character"))
    }
    return .success(title)
  }
}
