import Foundation

/// The built `martlet`, serving a database in a temporary folder on a free port.
public final class MartletProcess: ServedMartlet {
  /// Beside the test bundle.
  public static let executable: String = {
    let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return bundle.deletingLastPathComponent().path + "/martlet"
  }()

  public let folder: TemporaryFolder
  public let database: String
  public let port: UInt16
  /// What its first line says: `listening on http://…`.
  public let greeting: String
  /// All of that line.
  public let firstLine: String
  private let process: ChildProcess

  /// Starts it and waits until it listens. Throws with what it said on standard error.
  ///
  /// `name`: the database's file in `folder`; a second start goes on with it.
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
    // Alone on its line, or the message of a JSON object.
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

  public var url: String { "http://127.0.0.1:\(port)" }
  public var pid: pid_t { process.pid }
  /// What it has logged.
  public var log: String { process.errors }

  public func signal(_ number: Int32) { process.signal(number) }

  /// Waits for its end.
  public func wait(within seconds: Double = 20) throws -> ChildProcess.Result {
    try process.wait(within: seconds)
  }

  /// Ends it gracefully.
  @discardableResult
  public func stop() throws -> ChildProcess.Result {
    process.signal(SIGTERM)
    return try process.wait()
  }

  /// Ends it as a power cut would, as far as the program is concerned.
  public func kill9() throws {
    process.signal(SIGKILL)
    _ = try process.wait()
  }

  /// Resident memory in bytes.
  public var memory: Int {
    get throws {
      let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
      return (Int(line.filter(\.isNumber)) ?? 0) * 1024
    }
  }

  /// Runs `martlet` with arguments to its end.
  public static func run(
    _ arguments: [String], environment: [String: String] = [:], in folder: TemporaryFolder? = nil
  ) throws -> ChildProcess.Result {
    let folder = try folder ?? TemporaryFolder()
    return try ChildProcess(
      executable, arguments, environment: environment, folder: folder
    ).wait()
  }

  /// Runs the `sqlite3` program on a file; gives its output.
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
