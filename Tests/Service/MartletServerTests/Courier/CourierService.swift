import Foundation
import MartletCourier
import TestSupport

extension Courier {
  /// A courier with the built program, which may send to this machine.
  convenience init(
    allowing allowed: [String] = ["127.0.0.1"], ownPort: UInt16? = nil,
    _ change: (inout CourierSettings) -> Void = { _ in }
  ) {
    var settings = CourierSettings(
      rules: OutgoingRules(allowed: allowed.compactMap { .init($0) }, ownPort: ownPort),
      userAgent: "martlet/test")
    change(&settings)
    self.init(settings, executable: MartletProcess.executable)
  }
}

/// A courier whose process has a known ID.
struct KnownCourier {
  let courier: Courier
  private let folder: TemporaryFolder

  /// - Parameter variables: Set in addition, although a courier has none.
  init(
    allowing allowed: [String] = ["127.0.0.1"], variables: [String: String] = [:]
  ) throws {
    folder = try TemporaryFolder()
    let settings = CourierSettings(
      rules: OutgoingRules(allowed: allowed.compactMap { .init($0) }), userAgent: "martlet/test")
    let exports = variables.map { "export \($0.key)='\($0.value)'; " }.joined()
    let script =
      exports
      + "echo $$ >> \(folder.file("pids")); exec \(MartletProcess.executable) courier"
    courier = Courier(settings, executable: "/bin/sh", arguments: ["-c", script])
  }

  /// The processes so far, the running one last.
  var pids: [pid_t] {
    let text = (try? String(contentsOfFile: folder.file("pids"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { pid_t($0) }
  }
}

/// What `/proc` says about a process.
enum ProcessState {
  /// Whether it runs, and not only waits for its parent.
  static func isRunning(_ pid: pid_t) -> Bool {
    let stat = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
    let state = stat.split(separator: ")").last?.split(separator: " ").first
    return state != nil && state != "Z" && state != "X"
  }

  /// Waits until it does not run. Returns whether that happened.
  static func isOver(_ pid: pid_t, within seconds: Double = Deadline.hang) -> Bool {
    let deadline = Deadline(seconds)
    while isRunning(pid), !deadline.isOver { usleep(2000) }
    return !isRunning(pid)
  }

  /// The open descriptors and what they are.
  static func descriptors(of pid: pid_t) throws -> [Int: String] {
    let folder = "/proc/\(pid)/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(into: [:]) {
      found, name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      if let number = Int(name), let target { found[number] = target }
    }
  }

  /// The files that are mapped. Foundation reads only the first page of such a file.
  static func maps(of pid: pid_t) throws -> String {
    let file = open("/proc/\(pid)/maps", O_RDONLY)
    guard file >= 0 else { throw TestFailure("no maps of \(pid): \(errno)") }
    defer { close(file) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = read(file, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
    return String(decoding: text, as: UTF8.self)
  }
}
