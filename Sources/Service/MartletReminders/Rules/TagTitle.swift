@_spi(_Unicode) import Swift

/// Validates titles of tags, and normalizes them to NFC, so that equivalent texts are the same tag.
public enum TagTitle {
  /// Why a title is not valid.
  public struct Fault: Error {
    /// The fault, for a message.
    public let detail: String
  }

  /// The maximum length in Unicode scalars.
  static let longest = 100

  /// Returns the normalized title, or the reason why it is invalid.
  public static func read(_ text: String) -> Result<String, Fault> {
    var scalars = String.UnicodeScalarView()
    // The standard library's normalization, which has no public API yet.
    scalars.append(contentsOf: text._nfc)
    let title = String(scalars)
    if title.isEmpty { return .failure(Fault(detail: "a tag must not be empty")) }
    if title == "." || title == ".." {
      // Clients remove such a segment from a path, so the tag could not be requested.
      return .failure(Fault(detail: "\"\(title)\" cannot be a tag"))
    }
    if scalars.count > longest {
      return .failure(Fault(detail: "expected at most \(longest) characters, got \(scalars.count)"))
    }
    if scalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return .failure(Fault(detail: "contains a control character"))
    }
    return .success(title)
  }
}
