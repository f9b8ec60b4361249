import MartletHTTP
import MartletLiveQueries
import MartletStore

/// The list of entity tags in `If-None-Match` or `If-Match` (RFC 9110 section 13.1).
///
/// A representation has one tag, and the same tag with `-gzip` when it is compressed. Both name the
/// same state and are equal here.
struct EntityTags {
  /// Whether the field is `*`.
  private(set) var isAny = false
  private var hashes: Set<UInt64> = []
  /// The first member that is not an entity tag.
  private(set) var malformed: String?

  /// Parses a field. Tags that this server does not issue are ignored, because they cannot match.
  init(_ field: String) {
    if field.allSatisfy({ $0 == "*" || $0 == " " || $0 == "\t" }), field.contains("*") {
      isAny = true
      return
    }
    var members: [String] = []
    var list = field
    // A comma or a backslash inside a tag is an ordinary character (RFC 9110 section 8.8.3).
    list.withUTF8 { bytes in
      bytes.visitListMembers(escapes: false) { members.append(String(decoding: $0, as: UTF8.self)) }
    }
    for member in members {
      let opaque = member.hasPrefix("W/") ? member.dropFirst(2) : member[...]
      guard let tag = ETag(entityTag: opaque) else {
        let isQuoted = opaque.utf8.count > 1 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"")
        if !isQuoted { malformed = malformed ?? member }
        continue
      }
      hashes.insert(tag.hash)
    }
  }

  /// Weak comparison, also for `If-Match`, where RFC 9110 section 13.1.1 demands a strong one: a
  /// tag is the hash of a state, and a proxy that compresses a response puts `W/` in front of it.
  func contains(_ tag: ETag) -> Bool { isAny || hashes.contains(tag.hash) }
}

extension ETag {
  /// Parses `"0123456789abcdef"`, also with `-gzip` inside the quotes, and without quotes, as an
  /// event's ID is sometimes copied.
  init?(entityTag text: Substring) {
    var digits = text
    if digits.first == "\"", digits.last == "\"", digits.count >= 2 {
      digits = digits.dropFirst().dropLast()
    }
    if digits.hasSuffix(ETag.gzipSuffix) { digits = digits.dropLast(ETag.gzipSuffix.count) }
    guard digits.utf8.count == 16,
      digits.utf8.allSatisfy({
        ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9"))
          || ($0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "f"))
      }),
      let hash = UInt64(digits, radix: 16)
    else { return nil }
    self.init(hash: hash)
  }

  /// Parses the ID of an event, which a proxy may have made weak.
  init?(lastEventID text: String) {
    self.init(entityTag: text.hasPrefix("W/") ? text.dropFirst(2) : Substring(text))
  }

  static let gzipSuffix = "-gzip"

  /// The tag of the same state in compressed form.
  var compressed: String { String(description.dropLast()) + ETag.gzipSuffix + "\"" }
}
