import Glibc
import MartletStore
import Synchronization

/// The secrets by which the nodes of a cluster know each other: the lines of a file that only its
/// owner can read. Each of them is accepted. The first one is sent, and the others if it is
/// refused. A changed file is read again, so that a secret can be replaced while the nodes run.
final class ClusterSecret: Sendable {
  private static let shortest = 32

  private struct State {
    var lines: [[UInt8]]
    var version: FileVersion
  }
  private let path: String
  private let state: Mutex<State>

  /// The version of a file, which differs after each change.
  private struct FileVersion: Equatable {
    var inode: UInt
    var size: Int
    var seconds: Int
    var nanoseconds: Int

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      inode = UInt(status.st_ino)
      size = Int(status.st_size)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  /// Reads the file.
  init(file path: String) throws {
    self.path = path
    let version = FileVersion(path)
    let lines = try Self.read(path)
    guard let version else { throw Failure.file(path, "it does not exist") }
    state = Mutex(State(lines: lines, version: version))
  }

  /// The secrets in the file now, or before if it cannot be read.
  private var lines: [[UInt8]] {
    state.withLock { state in
      guard let version = FileVersion(path), version != state.version else { return state.lines }
      if let lines = try? Self.read(path) { state = State(lines: lines, version: version) }
      return state.lines
    }
  }

  private static func read(_ path: String) throws -> [[UInt8]] {
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
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) }
    let isGood = lines.allSatisfy { line in
      line.count >= Self.shortest && line.allSatisfy { (0x21...0x7E).contains($0) }
    }
    guard !lines.isEmpty, isGood else {
      throw Failure.file(
        path,
        "each line must have at least \(Self.shortest) visible ASCII characters: martlet cluster secret makes such a file"
      )
    }
    return lines
  }

  /// A new secret: 256 bits of the system's random numbers.
  static func make() -> String {
    (0..<4).map { _ in
      let text = String(UInt64.random(in: 0 ... .max), radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }.joined()
  }

  /// The secrets to send, until one is not refused.
  var sent: [String] { lines.map { String(decoding: $0, as: UTF8.self) } }

  /// Whether another node has sent a right secret. Takes the same time for each wrong one.
  func accepts(_ text: String?) -> Bool {
    guard let text else { return false }
    let given = Array(text.utf8)
    return lines.reduce(false) { isRight, secret in
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
