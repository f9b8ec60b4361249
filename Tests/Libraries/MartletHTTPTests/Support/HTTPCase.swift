import MartletHTTP
import TestSupport
import Testing

/// A request and its expected result, from `Cases.http`.
///
/// `### name` begins a case, and other lines that begin with `# ` describe it. `# expect: 200 400
/// close` lists the statuses in order and the state of the connection (`keep`, `close`, or `wait`
/// for more bytes). `# seen: POST / body` lists each request that a handler got. The other lines
/// are the bytes, without their line ends, as in `EscapedBytes`.
struct HTTPCase: CustomTestStringConvertible, Sendable {
  enum End: String { case keep, close, wait }

  let name: String
  var statuses: [Int] = []
  var end = End.keep
  var seen: [[UInt8]]?
  var bytes: [UInt8] = []

  var testDescription: String { name }

  static let all: [HTTPCase] = {
    var cases: [HTTPCase] = []
    let text = try! Repository.text("Tests/Libraries/MartletHTTPTests/Cases.http")
    for line in text.split(separator: "\n") {
      if line.hasPrefix("### ") {
        cases.append(HTTPCase(name: String(line.dropFirst(4))))
      } else {
        cases[cases.count - 1].add(line)
      }
    }
    return cases
  }()

  private mutating func add(_ line: Substring) {
    if line.hasPrefix("# expect: ") {
      let words = line.dropFirst(10).split(separator: " ")
      statuses = words.compactMap { Int($0) }
      end = End(rawValue: String(words.last!))!
    } else if line.hasPrefix("# seen: ") {
      seen = (seen ?? []) + [EscapedBytes.bytes(of: line.dropFirst(8))]
    } else if !line.hasPrefix("# ") {
      bytes += EscapedBytes.bytes(of: line)
    }
  }
}

/// An event source that is a closure.
final class Steps: EventSource {
  private let step: () -> EventStream.Next
  private let onClose: () -> Void

  init(_ step: @escaping () -> EventStream.Next = { .wait }, onClose: @escaping () -> Void = {}) {
    self.step = step
    self.onClose = onClose
  }

  func next() -> EventStream.Next { step() }
  func closed() { onClose() }
}
