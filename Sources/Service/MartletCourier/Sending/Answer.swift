/// The stored parts of an answer: its status, `Retry-After` and `Date`.
///
/// The body is read up to a limit, so that the other server can send it, and dropped: it could come
/// from a server that the user who chose the URL cannot reach. Of a push service's answer its
/// beginning is stored, in which ``PushReason`` finds at most a word that it knows.
final class Answer {
  private let bodyLimit: Int
  private let headerLimit: Int
  private let keepsBeginning: Bool
  private var bodyCount = 0
  private var headerCount = 0
  private var lineStatus = 0
  private(set) var retryAfter: String?
  private(set) var date: String?
  private(set) var beginning: [UInt8] = []
  /// The status once the header section is complete. Informational answers do not count.
  private(set) var status: Int?
  /// Whether the header section was longer than the limit.
  private(set) var isTooLong = false

  init(bodyLimit: Int, headerLimit: Int, keepsBeginning: Bool = false) {
    self.bodyLimit = bodyLimit
    self.keepsBeginning = keepsBeginning
    self.headerLimit = headerLimit
  }

  /// Takes a line of the header or trailer section. Returns false to end the transfer.
  func takeHeader(_ line: some BidirectionalCollection<UInt8>) -> Bool {
    headerCount += line.count
    guard headerCount <= headerLimit else {
      isTooLong = status == nil
      return false
    }
    guard status == nil else { return true }
    let text = String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      lineStatus =
        text.utf8.split(separator: UInt8(ascii: " ")).dropFirst().first
        .flatMap { Int(String(Substring($0.prefix(3)))) } ?? 0
      retryAfter = nil
      date = nil
    } else if line.allSatisfy({ $0 == 0x0d || $0 == 0x0a }) {
      if lineStatus >= 200 { status = lineStatus }
    } else if let value = Answer.value(of: "retry-after:", in: text) {
      retryAfter = value
    } else if let value = Answer.value(of: "date:", in: text) {
      date = value
    }
    return true
  }

  private static func value(of name: String, in line: String) -> String? {
    guard line.lowercased().hasPrefix(name) else { return nil }
    return String(
      decoding: line.utf8.dropFirst(name.utf8.count).filter { $0 >= 0x20 }, as: UTF8.self)
  }

  /// Takes a part of the body. Returns false to end the transfer.
  func takeBody(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
    if keepsBeginning { beginning += bytes.prefix(PushReason.prefix - beginning.count) }
    bodyCount += bytes.count
    return bodyCount <= bodyLimit
  }
}
