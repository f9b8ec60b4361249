import MartletLiveAPI

/// The commands of `martlet`.
enum Command: String, CaseIterable, Sendable {
  case serve, key, cluster, config, migrate, backup, restore, export, `import`, doctor, seed,
    health, version
  case courier, manual

  /// The commands for people. The server starts `courier`, and packages are made with `manual`.
  static let listed = allCases.filter { $0 != .courier && $0 != .manual }

  /// The command of this name.
  ///
  /// For an unknown name it throws a ``UsageError`` that lists the commands and suggests the
  /// closest one.
  init(named name: String) throws {
    let names = Command.listed.map(\.rawValue)
    guard let known = Command(rawValue: name) else {
      let all = "the commands are \(names.joined(separator: ", "))"
      throw UsageError(
        "unknown command \"\(name)\"" + Suggestion.text(for: name, among: names, else: all))
    }
    self = known
  }

  /// One line for `--help`.
  var summary: String {
    switch self {
    case .serve: "serve the API; this is the default command"
    case .key: "create, list and revoke API keys: key create, key list, key revoke ID"
    case .cluster:
      "run several servers as one: cluster status, transfer [ID], remove ID, copy ID, secret, leave, recover"
    case .config: "print the settings that serve would use, and where each comes from"
    case .migrate: "migrate the database file to this version's schema"
    case .backup: "copy the database to FILE and verify the copy; the server may be running"
    case .restore: "replace the database with the backup FILE; the server must be stopped"
    case .export: "write all lists, tags and reminders to standard output"
    case .import:
      "import lists, tags and reminders from FILE (-: standard input), all of them or none"
    case .doctor:
      "check everything that the server needs, and say how to fix it; takes serve's flags"
    case .seed: "add demo data, or a large reproducible data set, to the database"
    case .health: "check whether a running server is ready; exits with 0 or 1"
    case .version: "print version and commit of martlet, and the versions of SQLite and Swift"
    case .courier:
      "internal: the process that serve starts to send requests to other servers"
    case .manual: "internal: print the manual pages and the completions of shells"
    }
  }

  /// The settings that the command accepts.
  var settings: [Setting] {
    switch self {
    case .serve, .config, .doctor: Setting.serve + LimitSetting.all.map(\.setting)
    case .migrate: [.configuration, .database]
    case .backup: [.configuration, .existingDatabase]
    case .export: [.configuration, .existingDatabase, .format, .exportedList, .timeZone]
    case .import:
      [
        .configuration, .database, .importFormat, .update, .timeZone, .clusterHTTP,
        .clusterSecretFile,
      ]
    case .key:
      [
        .configuration, .existingDatabase, .name, .scope, .list, .expires, .clusterHTTP,
        .clusterSecretFile,
      ]
    case .cluster:
      [
        .configuration, .existingDatabase, .clusterHTTP, .clusterSecretFile, .clusterFolder,
        .verify,
      ]
    case .restore:
      [.configuration, .restoredDatabase, .force, .clusterHTTP, .clusterSecretFile]
    case .seed:
      [
        .configuration, .database, .lists, .reminders, .randomSeed, .clusterHTTP,
        .clusterSecretFile,
      ]
    case .health: [.configuration, .serverHost, .serverPort]
    case .version, .courier, .manual: []
    }
  }

  /// The number of arguments without a flag.
  var operandCount: Int {
    switch self {
    case .backup, .restore, .import, .manual: 1
    // The subcommand, and the ID of a key or a node.
    case .key, .cluster: 2
    default: 0
    }
  }

  /// Whether the argument without a flag is a file.
  var takesFile: Bool { [.backup, .restore, .import].contains(self) }

  /// The allowed first arguments without a flag.
  var subcommands: [String] {
    switch self {
    case .key: ["create", "list", "revoke"]
    case .cluster: ["status", "transfer", "remove", "copy", "secret", "leave", "recover"]
    default: []
    }
  }

  /// The arguments without a flag: `create|list|revoke [ID]`.
  var operands: String {
    takesFile ? "FILE" : subcommands.isEmpty ? "" : subcommands.joined(separator: "|") + " [ID]"
  }

  /// The settings of all commands, each once.
  static let allSettings: [Setting] = allCases.flatMap(\.settings).reduce(into: []) {
    all, setting in
    if !all.contains(where: { $0.flag == setting.flag }) { all.append(setting) }
  }

  /// The text of `martlet COMMAND --help`.
  var help: String {
    let call = operands.isEmpty ? rawValue : "\(rawValue) \(operands)"
    let text = "martlet \(call): \(summary)\n"
    if settings.isEmpty { return text }
    return text + "\n" + Command.lines(settings, withVariables: true)
  }

  /// One line for each flag with its default.
  ///
  /// - Parameter withVariables: Whether a second line names the environment variable.
  private static func lines(_ settings: [Setting], withVariables: Bool) -> String {
    let width = settings.map(\.usage.count).max() ?? 0
    return settings.reduce(into: "") { text, setting in
      let padding = String(repeating: " ", count: width - setting.usage.count)
      text += "  \(setting.usage)\(padding)  \(setting.help)"
      text += setting.fallback.isEmpty ? "\n" : " (\(setting.fallback))\n"
      if withVariables {
        text += "  \(String(repeating: " ", count: width))  \(setting.variable)\n"
      }
    }
  }

  /// The text of `martlet --help`.
  static var help: String {
    var text = """
      martlet: a live JSON API server over SQLite

      usage: martlet [command] [--flag value]…
             martlet help COMMAND   (or martlet COMMAND --help) shows a command's flags


      """
    for command in listed {
      let padding = String(repeating: " ", count: 9 - command.rawValue.count)
      text += "  \(command.rawValue)\(padding)\(command.summary)\n"
    }
    text += "\nthe flags of serve, without the limits (martlet help serve shows them too):\n\n"
    return text + lines(Setting.serve, withVariables: false)
  }
}

/// A mistake in the command line, an environment variable or the configuration file. Exit code 2.
struct UsageError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// The reason why a valid command failed. Exit code 1.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
