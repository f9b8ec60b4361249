import Foundation
import MartletTesting

/// The built `martlet`, serving a database in a temporary folder on a free port.
public final class MartletProcess: ServedMartlet {
  /// The path of the executable, next to the test bundle.
  public static let executable: String = {
    let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return bundle.deletingLastPathComponent().path + "/martlet"
  }()

  /// The folder that contains the database.
  public let folder: TemporaryFolder
  /// The path of the database file.
  public let database: String
  /// The port on which the server listens.
  public let port: UInt16
  /// The address in its first line: `listening on http://…`.
  public let greeting: String
  /// The complete first line.
  public let firstLine: String
  private let process: ChildProcess

  /// Starts the server and waits until it listens. Throws its standard error otherwise.
  ///
  /// `name` is the database's file in `folder`; starting again with the same name continues with
  /// that database.
  public init(
    _ arguments: [String] = [], in folder: TemporaryFolder? = nil, name: String = "martlet.db",
    port: UInt16 = 0, environment: [String: String] = [:]
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    database = folder.file(name)
    let process = try ChildProcess(
      MartletProcess.executable,
      ["serve", "--port", "\(port)", "--database", database] + arguments,
      environment: environment, folder: folder)
    self.process = process
    // The message stands alone on its line, or is a member of a JSON object.
    guard let line = try process.line(),
      let match = line.firstMatch(of: #/listening on http://[^"]+:(\d+)/#),
      let number = UInt16(match.1)
    else {
      process.signal(SIGKILL)
      throw ChildProcess.Failure(description: "martlet does not listen: \(process.errors)")
    }
    greeting = String(match.0)
    firstLine = line
    self.port = number
  }

  /// The base URL of the server.
  public var url: String { "http://127.0.0.1:\(port)" }
  /// The server's process ID.
  public var pid: pid_t { process.pid }
  /// The server's log.
  public var log: String { process.errors }

  /// Sends a signal to the server.
  public func signal(_ number: Int32) { process.signal(number) }

  /// Waits for the server to exit.
  public func wait(within seconds: Double = Deadline.hang) throws -> ChildProcess.Result {
    try process.wait(within: seconds)
  }

  /// Stops the server gracefully.
  @discardableResult
  public func stop() throws -> ChildProcess.Result {
    process.signal(SIGTERM)
    return try process.wait()
  }

  /// Kills the server with SIGKILL, as close to a power failure as a process can get.
  public func kill9() throws {
    process.signal(SIGKILL)
    _ = try process.wait()
  }

  /// The server's resident memory in bytes.
  public var memory: Int {
    get throws {
      let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
      return (Int(line.filter(\.isNumber)) ?? 0) * 1024
    }
  }

  /// Runs `martlet` with arguments until it exits.
  public static func run(
    _ arguments: [String], environment: [String: String] = [:], in folder: TemporaryFolder? = nil
  ) throws -> ChildProcess.Result {
    let folder = try folder ?? TemporaryFolder()
    return try ChildProcess(
      executable, arguments, environment: environment, folder: folder
    ).wait()
  }

  /// Runs the `sqlite3` program on a file and returns its output.
  public static func sqlite3(
    _ file: String, _ commands: String, in folder: TemporaryFolder
  ) throws -> String {
    let result = try ChildProcess(
      "/usr/bin/sqlite3", ["-batch", "-cmd", ".timeout 5000", file, commands], folder: folder
    ).wait()
    guard result.code == 0, result.errors.isEmpty else {
      throw ChildProcess.Failure(description: "sqlite3: \(result.errors)")
    }
    return result.output
  }
}
