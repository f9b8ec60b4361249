import MartletLiveAPI

/// What `martlet` can be told to do.
enum Command: String, CaseIterable, Sendable {
  case serve, key, config, migrate, backup, restore, export, `import`, doctor, seed, health, version

  /// Throws what there is instead, and which is nearest.
  init(named name: String) throws {
    let names = Command.allCases.map(\.rawValue)
    guard let known = Command(rawValue: name) else {
      let all = "the commands are \(names.joined(separator: ", "))"
      throw UsageError(
        "unknown command \"\(name)\"" + Suggestion.text(for: name, among: names, else: all))
    }
    self = known
  }

  var summary: String {
    switch self {
    case .serve: "serve the API; this is what happens without a command, too"
    case .key: "make, list and revoke API keys: key create, key list, key revoke ID"
    case .config: "print the settings that serve would have, and where each comes from"
    case .migrate: "bring the database file to this version's schema, and end"
    case .backup: "copy the database to FILE, also while it is served, and check the copy"
    case .restore: "put FILE in the place of the database, which must not be served meanwhile"
    case .export: "write lists, tags and reminders to standard output"
    case .import:
      "add the lists, tags and reminders of such a FILE (-: standard input), all of them or none"
    case .doctor: "look at everything that a server needs, and say what to do; takes serve's flags"
    case .seed: "put demo data, or a large deterministic set, into the database"
    case .health: "ask a running server whether it is ready; exits with 0 or 1"
    case .version: "print the version of martlet and of the SQLite library"
    }
  }

  var settings: [Setting] {
    switch self {
    case .serve, .config, .doctor: Setting.serve + LimitSetting.all.map(\.setting)
    case .migrate: [.configuration, .database]
    case .backup: [.configuration, .existingDatabase]
    case .export: [.configuration, .existingDatabase, .format]
    case .import: [.configuration, .database, .importFormat]
    case .key: [.configuration, .existingDatabase, .name, .scope, .list, .expires]
    case .restore: [.configuration, .database, .force]
    case .seed: [.configuration, .database, .lists, .reminders, .randomSeed]
    case .health: [.configuration, .host, .port]
    case .version: []
    }
  }

  /// How many files are named without a flag.
  var operandCount: Int {
    switch self {
    case .backup, .restore, .import: 1
    // What to do, and with which one.
    case .key: 2
    default: 0
    }
  }

  private var operands: String {
    switch self {
    case .backup, .restore, .import: " FILE"
    case .key: " create|list|revoke [ID]"
    default: ""
    }
  }

  /// Those of all commands, each once.
  static let allSettings: [Setting] = allCases.flatMap(\.settings).reduce(into: []) {
    all, setting in
    if !all.contains(where: { $0.flag == setting.flag }) { all.append(setting) }
  }

  var help: String {
    let text = "martlet \(rawValue)\(operands): \(summary)\n"
    if settings.isEmpty { return text }
    return text + "\n" + Command.lines(settings, withVariables: true)
  }

  /// A line for each flag, with its default; `withVariables`: a second one with its variable.
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

  static var help: String {
    var text = """
      martlet: a live JSON API server over SQLite

      usage: martlet [command] [--flag value]…
             martlet help COMMAND   (or martlet COMMAND --help) tells a command's flags


      """
    for command in allCases {
      let padding = String(repeating: " ", count: 9 - command.rawValue.count)
      text += "  \(command.rawValue)\(padding)\(command.summary)\n"
    }
    text += "\nserve's flags, but for the limits, which martlet help serve tells as well:\n\n"
    return text + lines(Setting.serve, withVariables: false)
  }
}
