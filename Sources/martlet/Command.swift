/// What `martlet` can be told to do.
enum Command: String, CaseIterable, Sendable {
  case serve, migrate, seed, health, version

  var summary: String {
    switch self {
    case .serve: "serve the API; this is what happens without a command, too"
    case .migrate: "bring the database file to this version's schema, and end"
    case .seed: "put demo data, or a large deterministic set, into the database"
    case .health: "ask a running server whether it is ready; exits with 0 or 1"
    case .version: "print the version of martlet and of the SQLite library"
    }
  }

  var settings: [Setting] {
    switch self {
    case .serve:
      [
        .host, .port, .database, .loops, .allowNoKeys, .allowedHost, .allowedOrigin, .gracePeriod,
        .maxConnections, .maxStreams, .maxConnectionsPerAddress, .maxStreamsPerAddress,
      ]
    case .migrate: [.database]
    case .seed: [.database, .lists, .reminders, .randomSeed]
    case .health: [.host, .port]
    case .version: []
    }
  }

  var help: String {
    var text = "martlet \(rawValue): \(summary)\n"
    if settings.isEmpty { return text }
    text += "\n"
    let width = settings.map(\.usage.count).max() ?? 0
    for setting in settings {
      let padding = String(repeating: " ", count: width - setting.usage.count)
      text += "  \(setting.usage)\(padding)  \(setting.help)"
      text += setting.fallback.isEmpty ? "\n" : " (\(setting.fallback))\n"
      text += "  \(String(repeating: " ", count: width))  \(setting.variable)\n"
    }
    return text
  }

  static var help: String {
    var text = """
      martlet: a live JSON API server over SQLite

      usage: martlet [command] [--flag value]…   (martlet command --help tells its flags)


      """
    for command in allCases {
      let padding = String(repeating: " ", count: 9 - command.rawValue.count)
      text += "  \(command.rawValue)\(padding)\(command.summary)\n"
    }
    return text
  }
}

extension Setting {
  static let host = Setting(
    flag: "host", form: .text(placeholder: "ADDRESS"), fallback: "127.0.0.1",
    help: "the address to listen on; beyond loopback only with --allow-no-keys")
  static let port = Setting(
    flag: "port", form: .text(placeholder: "PORT"), fallback: "8080",
    help: "the port, 0 to 65535; 0 takes a free one and prints it")
  static let database = Setting(
    flag: "database", form: .text(placeholder: "FILE"), fallback: "./data/martlet.db",
    help: "the database file; made, with its folder, when it is missing")
  static let loops = Setting(
    flag: "loops", form: .text(placeholder: "N"), fallback: "0",
    help: "event loops, 1 to 64; 0 means one for each core")
  static let allowNoKeys = Setting(
    flag: "allow-no-keys", form: .onOff, fallback: "",
    help: "serve beyond loopback without API keys: who reaches the port may do everything")
  static let allowedHost = Setting(
    flag: "allowed-host", form: .list(placeholder: "NAME"), fallback: "",
    help: "a further name that requests may have in Host; repeatable")
  static let allowedOrigin = Setting(
    flag: "allowed-origin", form: .list(placeholder: "ORIGIN"), fallback: "",
    help: "a further origin whose pages may write, as https://todo.example.org; repeatable")
  static let gracePeriod = Setting(
    flag: "grace-period", form: .text(placeholder: "MS"), fallback: "400",
    help: "milliseconds from completing to completed")
  static let maxConnections = Setting(
    flag: "max-connections", form: .text(placeholder: "N"), fallback: "10000",
    help: "open connections, 1 to 1000000; further ones are told to come back later")
  static let maxStreams = Setting(
    flag: "max-streams", form: .text(placeholder: "N"), fallback: "8000",
    help: "open event streams, 0 to 1000000")
  static let maxConnectionsPerAddress = Setting(
    flag: "max-connections-per-address", form: .text(placeholder: "N"), fallback: "1000",
    help: "connections of one client address; loopback is not counted")
  static let maxStreamsPerAddress = Setting(
    flag: "max-streams-per-address", form: .text(placeholder: "N"), fallback: "64",
    help: "event streams of one client address; loopback is not counted")
  static let lists = Setting(
    flag: "lists", form: .text(placeholder: "N"), fallback: "10",
    help: "how many lists, with --reminders")
  static let reminders = Setting(
    flag: "reminders", form: .text(placeholder: "N"), fallback: "0",
    help: "how many reminders; 0 writes the small demo")
  static let randomSeed = Setting(
    flag: "random-seed", form: .text(placeholder: "S"), fallback: "1",
    help: "the same seed makes the same reminders")
}
