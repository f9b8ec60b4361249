import MartletCourier
import MartletJSON
import MartletTime

/// A mail in plain text (RFC 5322): header fields in ASCII, and a body of UTF-8 in Base64.
struct MailMessage {
  /// The address of the sender.
  var from: String
  /// The address of the recipient.
  var to: String
  var subject: String
  /// The text, with line feeds.
  var text: String
  /// The part before the `@` of the message's ID, the same for all attempts.
  var id: String
  /// The same part of the ID of the message's thread, if it has one.
  var thread: String?
  var date: Instant
  var isUrgent = false

  /// The maximum length of a subject in characters.
  static let longestSubject = 200

  var bytes: [UInt8] {
    let domain = MailEnvelope.domain(of: from)
    var lines = [
      "From: Martlet <\(from)>",
      "To: <\(to)>",
      "Subject: \(MailMessage.encoded(subject))",
      "Date: \(HTTPDate.string(date).dropLast(3))+0000",
      "Message-ID: <\(id)@\(domain)>",
    ]
    // A reader shows what has the same reference as one conversation.
    if let thread { lines.append("References: <\(thread)@\(domain)>") }
    if isUrgent { lines.append("Importance: high") }
    lines += [
      // No vacation notice answers it (RFC 3834 section 5).
      "Auto-Submitted: auto-generated",
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: base64",
      "",
    ]
    // Lines of 76 characters (RFC 2045 section 6.8).
    var rest = Array(text.replacing("\n", with: "\r\n").utf8)[...]
    while !rest.isEmpty {
      lines.append(Base64.encode(Array(rest.prefix(57))))
      rest = rest.dropFirst(57)
    }
    return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
  }

  /// The longest encoded word (RFC 2047 section 2) without `=?utf-8?B?` and `?=`.
  private static let longestWord = 45

  /// The beginning of a text in encoded words, each in a line of its own. Control characters become
  /// spaces.
  private static func encoded(_ text: String) -> String {
    var words: [[UInt8]] = [[]]
    for scalar in text.unicodeScalars.prefix(longestSubject) {
      let shown = scalar.value < 0x20 || scalar.value == 0x7f ? " " : scalar
      let bytes = Array(String(Character(shown)).utf8)
      if words[words.count - 1].count + bytes.count > longestWord { words.append([]) }
      words[words.count - 1] += bytes
    }
    return words.map { "=?utf-8?B?\(Base64.encode($0))?=" }.joined(separator: "\r\n ")
  }
}
