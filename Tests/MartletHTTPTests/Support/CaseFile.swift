import Foundation
import Testing

/// A request and its expected result, from `Cases/*.http`.
///
/// Lines that begin with `# ` describe the case. `# expect: 200 400 close` lists the statuses in
/// order and the state of the connection (`keep`, `close`, or `wait` for more bytes).
/// `# seen: POST / body` lists each request that a handler got. The other lines are the bytes,
/// without their line ends. The escapes `\r`, `\n`, `\t`, `\0`, `\\` and `\xNN` are replaced, and
/// `{text*7}` is repeated.
struct CaseFile: CustomTestStringConvertible, Sendable {
  enum End: String { case keep, close, wait }

  let name: String
  var statuses: [Int] = []
  var end = End.keep
  var seen: [[UInt8]]?
  var bytes: [UInt8] = []

  var testDescription: String { name }

  static let all: [CaseFile] = {
    let folder = Bundle.module.resourceURL!.appendingPathComponent("Cases")
    let files = try! FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return files.filter { $0.pathExtension == "http" }.map { try! CaseFile($0) }
      .sorted { $0.name < $1.name }
  }()

  init(_ file: URL) throws {
    name = file.deletingPathExtension().lastPathComponent
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("# expect: ") {
        let words = line.dropFirst(10).split(separator: " ")
        statuses = words.compactMap { Int($0) }
        end = End(rawValue: String(words.last!))!
      } else if line.hasPrefix("# seen: ") {
        seen = (seen ?? []) + [CaseFile.unescape(line.dropFirst(8))]
      } else if !line.hasPrefix("# ") {
        bytes += CaseFile.expand(line)
      }
    }
  }

  private static func expand(_ line: Substring) -> [UInt8] {
    guard let open = line.firstIndex(of: "{"), let close = line.lastIndex(of: "}"), open < close,
      let star = line[open..<close].lastIndex(of: "*"),
      let count = Int(line[line.index(after: star)..<close])
    else { return unescape(line) }
    let repeated = unescape(line[line.index(after: open)..<star])
    return unescape(line[..<open]) + Array(repeatElement(repeated, count: count).joined())
      + unescape(line[line.index(after: close)...])
  }

  private static func unescape(_ text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "r"): bytes.append(13)
      case UInt8(ascii: "n"): bytes.append(10)
      case UInt8(ascii: "t"): bytes.append(9)
      case UInt8(ascii: "0"): bytes.append(0)
      case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
      case UInt8(ascii: "x"):
        bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)!)
        rest = rest.dropFirst(2)
      default: fatalError("unknown escape in \(text)")
      }
    }
    return bytes
  }
}
