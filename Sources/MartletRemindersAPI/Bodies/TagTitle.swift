import MartletLiveAPI
@_spi(_Unicode) import Swift

/// A tag's title as it comes in: in NFC, so that the same letters are the same tag.
enum TagTitle {
  static let longest = 100

  static func read(_ text: String) -> Result<String, FieldReason> {
    var scalars = String.UnicodeScalarView()
    // The standard library's own normalization, which has no public name yet.
    scalars.append(contentsOf: text._nfc)
    let title = String(scalars)
    if title.isEmpty { return .failure(FieldReason("a tag is not empty")) }
    if title == "." || title == ".." {
      // Clients drop such a segment from a path: nobody could ask for the tag.
      return .failure(FieldReason("\"\(title)\" cannot be a tag"))
    }
    if scalars.count > longest {
      return .failure(FieldReason("expected at most \(longest) characters, got \(scalars.count)"))
    }
    if scalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return .failure(FieldReason("holds a control character"))
    }
    return .success(title)
  }
}
