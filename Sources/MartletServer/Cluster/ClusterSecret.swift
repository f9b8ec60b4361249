import Glibc
import MartletStore

/// The secrets by which the nodes of a cluster know each other: the lines of a file that only its
/// owner can read. The first one is sent, and each of them is accepted, so that a secret can be
/// replaced while the nodes run.
struct ClusterSecret: Sendable {
  private static let shortest = 32
  private let accepted: [[UInt8]]

  /// Reads the file.
  init(file path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw Failure.file(path, String(cString: strerror(errno)))
    }
    guard status.st_mode & 0o077 == 0 else {
      throw Failure.file(path, "others can read it: run chmod 600 \(path)")
    }
    guard let bytes = try DurableFile.read(path, limit: 4_096) else {
      throw Failure.file(path, "it does not exist")
    }
    accepted = bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) }
    let isGood = accepted.allSatisfy { line in
      line.count >= Self.shortest && line.allSatisfy { (0x21...0x7E).contains($0) }
    }
    guard !accepted.isEmpty, isGood else {
      throw Failure.file(
        path,
        "each line must have at least \(Self.shortest) visible ASCII characters: martlet cluster secret makes such a file"
      )
    }
  }

  /// A new secret: 256 bits of the system's random numbers.
  static func make() -> String {
    (0..<4).map { _ in
      let text = String(UInt64.random(in: 0 ... .max), radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }.joined()
  }

  /// The secret to send.
  var sent: String { String(decoding: accepted[0], as: UTF8.self) }

  /// Whether another node has sent a right secret. Takes the same time for each wrong one.
  func accepts(_ text: String?) -> Bool {
    guard let text else { return false }
    let given = Array(text.utf8)
    return accepted.reduce(false) { isRight, secret in
      var difference: UInt8 = given.count == secret.count ? 0 : 1
      for (index, byte) in secret.enumerated() {
        difference |= byte ^ (index < given.count ? given[index] : 0)
      }
      return isRight || difference == 0
    }
  }

  enum Failure: Error, CustomStringConvertible {
    case file(String, String)

    var description: String {
      switch self {
      case .file(let path, let reason): "\(path): \(reason)"
      }
    }
  }
}
