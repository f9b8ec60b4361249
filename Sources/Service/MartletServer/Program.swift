import CMartletAssets
import Dispatch
import Glibc
import MartletSQLite
import MartletStore

/// The command-line program `martlet`.
public enum Program {
  static let version = "0.2.1"
  private static let versions =
    "martlet \(version)\(commit.isEmpty ? "" : " (\(commit))"), SQLite \(Version.library), Swift \(swift)"
  /// The commit that the program was built from, if it is from a package or image.
  static let commit = String(cString: ccommit())
  /// The version of the compiler.
  static var swift: String {
    #if compiler(>=6.5)
      "6.5 or newer"
    #elseif compiler(>=6.4)
      "6.4"
    #else
      "6.3"
    #endif
  }

  /// Runs the command that the arguments of the process name.
  ///
  /// Ends the process with 2 if the command line is wrong, and with 1 if the command fails.
  public static func main() {
    // Swift reads the arguments from there. Without it, all flags would silently be ignored.
    guard access("/proc/self/cmdline", R_OK) == 0 else {
      fail("martlet: /proc is not mounted, so the command line cannot be read", code: 1)
    }
    // It has at least the name of the program. Some preloaded libraries lose it.
    guard !CommandLine.arguments.isEmpty else {
      fail("martlet: the command line is empty; start it without LD_PRELOAD", code: 1)
    }
    if getpid() == 1 { endByStopSignals() }
    // Reminders are private: only this user can access files created by the program and SQLite.
    umask(0o077)
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      try run(arguments)
    } catch let error as UsageError {
      fail("martlet: \(error)", code: 2)
    } catch {
      fail("martlet: \(error)", code: 1)
    }
  }

  /// Ends the process at a stop signal, as it ends every other process. The kernel sends process 1
  /// of a container only the signals that it handles. Later ``StopSignals`` waits for them.
  private static func endByStopSignals() {
    for number in [SIGTERM, SIGINT, SIGHUP] {
      var action = sigaction()
      sigaction(number, nil, &action)
      guard action.__sigaction_handler.sa_handler == nil else { continue }
      signal(number) { _exit(128 + $0) }
    }
  }

  private static func run(_ arguments: [String]) throws {
    if let first = arguments.first, ["--help", "-h", "help"].contains(first) {
      return try help(arguments.dropFirst().filter { !$0.hasPrefix("-") })
    }
    if arguments == ["--version"] {
      print(versions)
      return
    }
    var rest = arguments
    var command = Command.serve
    if let name = arguments.first, !name.hasPrefix("-") {
      command = try Command(named: name)
      rest.removeFirst()
    }
    if rest.contains("--help") || rest.contains("-h") {
      print(command.help, terminator: "")
      return
    }
    let values = try Values(
      rest, environment: environment(), settings: command.settings,
      operandCount: command.operandCount)
    do {
      try run(command, values)
    } catch let error as SQLiteError {
      throw Failure(DatabaseTrouble.describe(error, values.text(.database)))
    } catch let error as WriteError {
      throw Failure(DatabaseTrouble.describe(error, values.text(.database)))
    } catch let error as MigrationError {
      throw Failure(DatabaseTrouble.describe(error, values.text(.database)))
    }
  }

  /// `martlet help` and `martlet help COMMAND`.
  private static func help(_ words: [String]) throws {
    guard let name = words.first else { return print(Command.help, terminator: "") }
    let command = try Command(named: name)
    guard words.count - 1 <= command.operandCount else {
      throw UsageError(
        "unexpected \"\(words[1])\"; martlet help COMMAND shows the flags of a command")
    }
    print(command.help, terminator: "")
  }

  private static func run(_ command: Command, _ values: Values) throws {
    switch command {
    case .serve: try Serve.run(values)
    case .key: try KeyCommand.run(values)
    case .cluster: try ClusterCommand.run(values)
    case .config: try Config.run(values)
    case .migrate: try Migrate.run(values)
    case .backup: try BackupCommand.backUp(values)
    case .restore: try BackupCommand.restore(values)
    case .export: try TransferCommand.export(values)
    case .import: try TransferCommand.import(values)
    case .doctor: try Doctor.run(values)
    case .seed: try SeedCommand.run(values)
    case .health: try Health.run(values)
    case .version: print(versions)
    case .courier: try CourierCommand.run()
    case .manual: try ManualCommand.run(values)
    }
  }

  private static func environment() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text).utf8.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
      ).map { String(Substring($0)) }
      if pair.count == 2 { variables[pair[0]] = pair[1] }
      entry += 1
    }
    return variables
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    Output.line(message, to: STDERR_FILENO)
    exit(code)
  }
}
