import Glibc
import MartletStore

/// Finds out from `/proc` which process listens on a port (proc(5)).
enum PortOwner {
  /// Whether a process that listens on the TCP port has the file open.
  ///
  /// Also `false` if the current user has no permission to inspect that process.
  static func hasOpen(_ file: String, listeningOn port: UInt16) -> Bool {
    guard let file = realpath(file, nil) else { return false }
    defer { free(file) }
    let path = String(cString: file)
    let sockets = listeners(port)
    guard !sockets.isEmpty else { return false }
    for process in Directory.names(in: "/proc")
    where process.utf8.allSatisfy({ (48...57).contains($0) }) {
      let folder = "/proc/\(process)/fd"
      let open = Set(Directory.names(in: folder).compactMap { target(of: "\(folder)/\($0)") })
      if open.contains(path), !open.isDisjoint(with: sockets) { return true }
    }
    return false
  }

  /// The sockets that listen on the port, as the links in `/proc/PID/fd` name them:
  /// `socket:[12345]`.
  private static func listeners(_ port: UInt16) -> Set<String> {
    var sockets: Set<String> = []
    let digits = String(port, radix: 16, uppercase: true)
    let ending = ":" + String(repeating: "0", count: 4 - digits.count) + digits
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
      for line in lines(of: table) {
        let fields = line.split(separator: " ")
        // The state 0A is TCP_LISTEN.
        guard fields.count > 9, fields[1].hasSuffix(ending), fields[3] == "0A" else { continue }
        sockets.insert("socket:[\(fields[9])]")
      }
    }
    return sockets
  }

  private static func lines(of path: String) -> [String] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    var lines: [String] = []
    while getline(&line, &capacity, file) >= 0 {
      if let line { lines.append(String(cString: line)) }
    }
    return lines
  }

  private static func target(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    return count > 0
      ? String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }
}
