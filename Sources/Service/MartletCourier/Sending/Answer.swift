/// The stored parts of an answer: its status, and `Retry-After`.
///
/// The body is read up to a limit, so that the other server can send it, and dropped: it could come
/// from a server that the user who chose the URL cannot reach.
final class Answer {
  private let bodyLimit: Int
  private let headerLimit: Int
  private var bodyCount = 0
  private var headerCount = 0
  private var lineStatus = 0
  private(set) var retryAfter: String?
  /// The status once the header section is complete. Informational answers do not count.
  private(set) var status: Int?
  /// Whether the header section was longer than the limit.
  private(set) var isTooLong = false

  init(bodyLimit: Int, headerLimit: Int) {
    self.bodyLimit = bodyLimit
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
    } else if line.allSatisfy({ $0 == 0x0d || $0 == 0x0a }) {
      if lineStatus >= 200 { status = lineStatus }
    } else if text.lowercased().hasPrefix("retry-after:") {
      retryAfter = String(
        decoding: text.utf8.dropFirst("retry-after:".utf8.count).filter { $0 >= 0x20 },
        as: UTF8.self)
    }
    return true
  }

  /// Takes a part of the body. Returns false to end the transfer.
  func takeBody(_ count: Int) -> Bool {
    bodyCount += count
    return bodyCount <= bodyLimit
  }
}
