/// One thing that can be set: by a flag, by a variable, or not at all. The table of these is what
/// `--help` prints and `docs/settings.md` tells.
struct Setting: Sendable {
  enum Form: Sendable, Equatable {
    case text(placeholder: String)
    /// On when the flag is there, or the variable is 1 or true.
    case onOff
    /// The flag repeatedly, the variable with commas.
    case list(placeholder: String)
  }

  /// Without dashes: `allow-no-keys`.
  let flag: String
  let form: Form
  let fallback: String
  let help: String

  /// `MARTLET_ALLOW_NO_KEYS`
  var variable: String {
    let name = flag.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    if case .list = form { return "MARTLET_\(name)S" }
    return "MARTLET_\(name)"
  }

  var usage: String {
    switch form {
    case .text(let placeholder), .list(let placeholder): "--\(flag) \(placeholder)"
    case .onOff: "--\(flag)"
    }
  }
}

/// What a person has to be told of the command line they wrote.
struct UsageError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Why a command that was understood could not do its work.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// The values of a command's settings: a flag wins over its variable, the variable over the default.
struct Values {
  private var values: [String: [String]] = [:]
  private let settings: [Setting]
  /// Variables that any command knows: others that begin with MARTLET_ are mistakes.
  static let allVariables = Set(Command.allCases.flatMap(\.settings).map(\.variable))

  init(
    _ arguments: [String], environment: [String: String], settings: [Setting]
  ) throws {
    self.settings = settings
    for variable in environment.keys.sorted()
    where variable.hasPrefix("MARTLET_") && !Values.allVariables.contains(variable)
      && !Values.isFromKubernetes(variable)
    {
      throw UsageError(
        "unknown variable \(variable); known are \(Values.allVariables.sorted().joined(separator: ", "))"
      )
    }
    for setting in settings {
      guard let text = environment[setting.variable], !text.isEmpty,
        !(setting.variable == "MARTLET_PORT" && text.hasPrefix("tcp://"))
      else { continue }
      switch setting.form {
      case .text: values[setting.flag] = [text]
      case .list:
        values[setting.flag] = text.split(separator: ",").map { String($0.trimmed) }
      case .onOff:
        guard let isOn = ["1": true, "true": true, "0": false, "false": false][text] else {
          throw UsageError("\(setting.variable) is 1, true, 0 or false, not \"\(text)\"")
        }
        if isOn { values[setting.flag] = [""] }
      }
    }
    try read(arguments)
  }

  /// A service that is called `martlet` there puts these into every container beside it.
  private static func isFromKubernetes(_ variable: String) -> Bool {
    variable.hasPrefix("MARTLET_SERVICE_") || variable.hasPrefix("MARTLET_PORT_")
  }

  private mutating func read(_ arguments: [String]) throws {
    var given: Set<String> = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else {
        throw UsageError("unexpected \"\(argument)\"; \(known)")
      }
      let pieces = argument.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = pieces.first, let setting = settings.first(where: { $0.flag == name }) else {
        throw UsageError("unknown flag \"\(argument)\"; \(known)")
      }
      var value = ""
      if setting.form == .onOff {
        if pieces.count > 1 { throw UsageError("--\(name) takes no value") }
      } else if pieces.count > 1 {
        value = String(pieces[1])
      } else if let next = rest.popFirst() {
        value = next
      } else {
        throw UsageError("--\(name) needs a value: \(setting.usage)")
      }
      // The first flag of its name replaces what the variable said; further ones of a list add to it.
      if given.insert(setting.flag).inserted {
        values[setting.flag] = [value]
      } else if case .list = setting.form {
        values[setting.flag, default: []].append(value)
      } else {
        throw UsageError("--\(name) is there twice")
      }
    }
  }

  private var known: String {
    settings.isEmpty
      ? "this command takes no flags"
      : "known are \(settings.map { "--\($0.flag)" }.joined(separator: ", "))"
  }

  func isOn(_ flag: String) -> Bool { values[flag] != nil }
  func list(_ flag: String) -> [String] { values[flag] ?? [] }
  func text(_ flag: String) -> String {
    values[flag]?.first ?? settings.first { $0.flag == flag }?.fallback ?? ""
  }
  func isGiven(_ flag: String) -> Bool { values[flag] != nil }

  func integer(_ flag: String, _ range: ClosedRange<Int>) throws -> Int {
    let text = text(flag)
    guard let value = Int(text), range.contains(value) else {
      throw UsageError(
        "--\(flag) is a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\""
      )
    }
    return value
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
