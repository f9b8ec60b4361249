import MartletLiveAPI

/// The values of a command's settings: a flag wins over its variable, the variable over the configuration
/// file, the file over the default.
struct Values {
  /// One value as it was given.
  struct Given {
    var text: String
    /// Where it comes from: `--port`, `MARTLET_PORT`, `martlet.conf:3`.
    var origin: String
    /// How a fault of it begins: the origin, and the setting where the origin does not name it.
    var name: String
  }

  /// None of them is empty but for a list's.
  private var values: [String: [Given]] = [:]
  /// The words that belong to no flag.
  private(set) var operands: [String] = []
  /// What is told and then ignored: names that are no settings any more.
  private(set) var warnings: [String] = []
  let settings: [Setting]

  /// `operandCount`: how many words there are that belong to no flag.
  init(
    _ arguments: [String], environment: [String: String], settings: [Setting], operandCount: Int = 0
  ) throws {
    self.settings = settings
    try check(environment)
    let (flags, operands) = try Values.flags(arguments, settings, operandCount)
    self.operands = operands
    if settings.contains(where: { $0.flag == Setting.configuration.flag }),
      let path = flags[Setting.configuration.flag]?.first?.text
        ?? environment[Setting.configuration.variable], !path.isEmpty
    {
      try read(ConfigurationFile(path))
    }
    for setting in settings {
      guard let text = environment[setting.variable], !text.isEmpty,
        !(setting.variable == "MARTLET_PORT" && text.hasPrefix("tcp://"))
      else { continue }
      let texts =
        if case .list = setting.form {
          text.utf8.split(separator: UInt8(ascii: ",")).map { Substring($0).trimmed }
        } else {
          [text]
        }
      let variable = setting.variable
      try set(setting, texts.map { Given(text: $0, origin: variable, name: variable) })
    }
    for one in flags.values.joined() { try Values.checkFolder(one) }
    values.merge(flags) { $1 }
  }

  /// Quotation marks and `~` are a shell's: elsewhere they would be a part of the value, and of a file's name.
  private static func checkUnquoted(_ given: Given) throws {
    let text = given.text
    for mark in ["\"", "'"] where text.hasPrefix(mark) || text.hasSuffix(mark) {
      throw UsageError("\(given.name) stands without quotation marks, got \(text)")
    }
    try checkFolder(given)
  }

  private static func checkFolder(_ given: Given) throws {
    let text = given.text
    guard text != "~", !text.hasPrefix("~/") else {
      throw UsageError(
        "\(given.name) has to name the folder itself: only a shell knows what ~ is, got \(text)")
    }
  }

  // MARK: Variables

  /// Variables that any command knows: others that begin with MARTLET_ are mistakes.
  private static let allVariables = Set(Command.allSettings.map(\.variable))

  private mutating func check(_ environment: [String: String]) throws {
    let allVariables = Values.allVariables
    for variable in environment.keys.sorted()
    where variable.hasPrefix("MARTLET_") && !allVariables.contains(variable)
      && !Values.isFromKubernetes(variable)
    {
      if let removed = RemovedSetting.all.first(where: { $0.variable == variable }) {
        warnings.append(removed.warning(variable))
        continue
      }
      throw UsageError(
        "unknown variable \(variable)"
          + Suggestion.text(
            for: variable, among: allVariables.sorted(),
            else: "martlet COMMAND --help tells them all"))
    }
  }

  /// A service that is called `martlet` there puts these into every container beside it.
  private static func isFromKubernetes(_ variable: String) -> Bool {
    variable.hasPrefix("MARTLET_SERVICE_") || variable.hasPrefix("MARTLET_PORT_")
  }

  // MARK: The file

  private mutating func read(_ file: ConfigurationFile) throws {
    var given: [String: [Given]] = [:]
    for (flag, value, line) in file.values {
      let origin = "\(file.path):\(line)"
      if let removed = RemovedSetting.all.first(where: { $0.flag == flag }) {
        warnings.append(removed.warning("\(origin): \(flag)"))
        continue
      }
      guard let known = Command.allSettings.first(where: { $0.flag == flag }),
        flag != Setting.configuration.flag
      else {
        let names = Command.allSettings.map(\.flag).filter { $0 != Setting.configuration.flag }
        throw UsageError(
          "\(origin): unknown \"\(flag)\""
            + Suggestion.text(for: flag, among: names, else: "martlet config tells them all"))
      }
      let name = "\(origin): \(flag)"
      given[flag, default: []].append(Given(text: value, origin: origin, name: name))
      if case .list = known.form {
      } else if given[flag]?.count != 1 {
        throw UsageError("\(name) is there twice, \(given[flag]?.first?.origin ?? "") has it too")
      }
      // What other commands know is theirs.
      if let setting = settings.first(where: { $0.flag == flag }) {
        try set(setting, given[flag] ?? [])
      }
    }
  }

  private mutating func set(_ setting: Setting, _ given: [Given]) throws {
    for one in given { try Values.checkUnquoted(one) }
    guard setting.form == .onOff, let one = given.first else {
      values[setting.flag] = given
      return
    }
    switch one.text {
    case "1", "true": values[setting.flag] = given
    case "0", "false": values[setting.flag] = nil
    default: throw UsageError("\(one.name) is 1, true, 0 or false, not \"\(one.text)\"")
    }
  }

  // MARK: Flags

  private static func flags(
    _ arguments: [String], _ settings: [Setting], _ operandCount: Int
  ) throws -> ([String: [Given]], operands: [String]) {
    var given: [String: [Given]] = [:]
    var operands: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "-" || !argument.hasPrefix("-"), operands.count < operandCount {
        operands.append(argument)
        continue
      }
      guard argument.hasPrefix("--") else {
        throw UsageError("unexpected \"\(argument)\"\(known(argument, settings))")
      }
      let pieces = argument.utf8.dropFirst(2).split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
      ).map { Substring($0) }
      guard let name = pieces.first, let setting = settings.first(where: { $0.flag == name }) else {
        if let removed = RemovedSetting.all.first(where: { $0.flag == pieces.first ?? "" }) {
          throw UsageError(removed.refusal)
        }
        throw UsageError(
          "unknown flag \"\(argument)\"\(known(String(argument.prefix { $0 != "=" }), settings))")
      }
      var value = "true"
      if setting.form == .onOff {
        if pieces.count > 1 { throw UsageError("--\(name) takes no value") }
      } else if pieces.count > 1 {
        value = String(pieces[1])
      } else if let next = rest.popFirst() {
        value = next
      } else {
        throw UsageError("--\(name) needs a value: \(setting.usage)")
      }
      let one = Given(text: value, origin: "--\(name)", name: "--\(name)")
      if given[setting.flag] == nil {
        given[setting.flag] = [one]
      } else if case .list = setting.form {
        given[setting.flag]?.append(one)
      } else {
        throw UsageError("--\(name) is there twice")
      }
    }
    return (given, operands)
  }

  private static func known(_ word: String, _ settings: [Setting]) -> String {
    if settings.isEmpty { return "; this command takes no flags" }
    return Suggestion.text(
      for: word, among: settings.map { "--\($0.flag)" }, else: "--help tells what there is")
  }

  // MARK: Reading

  /// The file that the command works on; `-` where it may be standard input.
  func operand(orStandardInput: Bool = false) throws -> String {
    guard let operand = operands.first, !operand.isEmpty else {
      throw UsageError("a FILE is missing")
    }
    guard operand != "-" || orStandardInput else {
      throw UsageError("FILE is the name of a file; - is known to martlet import alone")
    }
    return operand
  }

  func isOn(_ setting: Setting) -> Bool { values[setting.flag] != nil }
  func text(_ setting: Setting) -> String { given(setting).first?.text ?? setting.fallback }
  /// As it was given, each value with its own origin; empty where nothing was.
  func given(_ setting: Setting) -> [Given] { values[setting.flag] ?? [] }
  func isGiven(_ setting: Setting) -> Bool { !given(setting).isEmpty }
  /// How a fault of the value begins.
  func name(_ setting: Setting) -> String { given(setting).first?.name ?? "--\(setting.flag)" }

  /// One of the names of `T`; `or`: another name, for which it gives `nil`.
  func oneOf<T: CaseIterable & RawRepresentable>(
    _ setting: Setting, or other: String
  ) throws -> T? where T.RawValue == String {
    text(setting) == other ? nil : try named(setting, T.allCases.map(\.rawValue) + [other])
  }

  /// One of the names of `T`.
  func oneOf<T: CaseIterable & RawRepresentable>(_ setting: Setting) throws -> T
  where T.RawValue == String {
    try named(setting, T.allCases.map(\.rawValue))
  }

  private func named<T: RawRepresentable>(_ setting: Setting, _ names: [String]) throws -> T
  where T.RawValue == String {
    let text = text(setting)
    if let value = T(rawValue: text) { return value }
    throw UsageError(
      "\(name(setting)) is one of \(names.joined(separator: ", ")), not \"\(text)\"")
  }

  /// A number, a size in bytes, a duration in milliseconds.
  func integer(_ setting: Setting) throws -> Int {
    let text = text(setting)
    let name = name(setting)
    switch setting.form {
    case .number(let range):
      guard let value = Int(text), range.contains(value) else {
        throw UsageError(
          "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\""
        )
      }
      return value
    case .size(let range): return try quantity(.size, text, range, name)
    case .duration(let range): return try quantity(.duration, text, range, name)
    case .text, .onOff, .list: preconditionFailure("--\(setting.flag) is no number")
    }
  }

  /// A duration.
  func duration(_ setting: Setting) throws -> Duration { .milliseconds(try integer(setting)) }

  private func quantity(
    _ kind: Quantity, _ text: String, _ range: ClosedRange<Int>, _ name: String
  ) throws -> Int {
    guard let value = kind.parse(text), range.contains(value) else {
      // A number alone counts the smallest unit, which is seldom meant.
      let isBare = Int(text) != nil
      let meaning = isBare ? ", which is \(text)\(kind.units[0].name)" : ""
      throw UsageError(
        """
        \(name) is from \(kind.text(range.lowerBound)) to \(kind.text(range.upperBound)), \
        in \(kind.unitNames), not \"\(text)\"\(meaning)
        """)
    }
    return value
  }
}
