import MartletLiveAPI

/// The values of a command's settings.
///
/// A flag takes precedence over its environment variable, the variable over the configuration file,
/// and the file over the default.
struct Values {
  /// A value as it was given.
  struct Given {
    var text: String
    /// Where it comes from: `--port`, `MARTLET_PORT`, `martlet.conf:3`.
    var origin: String
    /// The beginning of an error message about the value: the origin, followed by the setting if
    /// the origin does not name it.
    var name: String
  }

  /// The given values by flag. Only the value of a list may be empty.
  private var values: [String: [Given]] = [:]
  /// The arguments that belong to no flag.
  private(set) var operands: [String] = []
  let settings: [Setting]

  /// Reads the values. Throws a ``UsageError`` if any of them is unknown or invalid.
  ///
  /// - Parameter operandCount: The maximum number of arguments that belong to no flag.
  init(
    _ arguments: [String], environment: [String: String], settings: [Setting], operandCount: Int = 0
  ) throws {
    self.settings = settings
    try Values.check(environment)
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

  /// Throws if a value from a variable or a file is quoted or begins with `~`.
  ///
  /// Only a shell interprets these. Here they would become part of the value, such as a file name.
  private static func checkUnquoted(_ given: Given) throws {
    let text = given.text
    for mark in ["\"", "'"] where text.hasPrefix(mark) || text.hasSuffix(mark) {
      throw UsageError("\(given.name) must not be quoted, got \(text)")
    }
    try checkFolder(given)
  }

  private static func checkFolder(_ given: Given) throws {
    let text = given.text
    guard text != "~", !text.hasPrefix("~/") else {
      throw UsageError(
        "\(given.name) must be a path without ~, which only a shell expands, got \(text)")
    }
  }

  // MARK: Variables

  /// The variables of all commands. Any other one that begins with `MARTLET_` is an error.
  private static let allVariables = Set(Command.allCases.flatMap(\.settings).map(\.variable))

  private static func check(_ environment: [String: String]) throws {
    for variable in environment.keys.sorted()
    where variable.hasPrefix("MARTLET_") && !allVariables.contains(variable)
      && !isFromKubernetes(variable)
    {
      throw UsageError(
        "unknown variable \(variable)"
          + Suggestion.text(
            for: variable, among: allVariables.sorted(),
            else: "martlet COMMAND --help shows all variables"))
    }
  }

  /// Whether Kubernetes has set the variable. For a service named `martlet` it sets these in all
  /// containers.
  private static func isFromKubernetes(_ variable: String) -> Bool {
    variable.hasPrefix("MARTLET_SERVICE_") || variable.hasPrefix("MARTLET_PORT_")
  }

  // MARK: The file

  private mutating func read(_ file: ConfigurationFile) throws {
    var given: [String: [Given]] = [:]
    for (flag, value, line) in file.values {
      let origin = "\(file.path):\(line)"
      guard let known = Command.allSettings.first(where: { $0.flag == flag }),
        flag != Setting.configuration.flag
      else {
        let names = Command.allSettings.map(\.flag).filter { $0 != Setting.configuration.flag }
        throw UsageError(
          "\(origin): unknown \"\(flag)\""
            + Suggestion.text(for: flag, among: names, else: "martlet config lists all names"))
      }
      let name = "\(origin): \(flag)"
      given[flag, default: []].append(Given(text: value, origin: origin, name: name))
      if case .list = known.form {
      } else if given[flag]?.count != 1 {
        throw UsageError("\(name) is set twice, first in \(given[flag]?.first?.origin ?? "")")
      }
      // Settings of other commands are ignored.
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
    default: throw UsageError("\(one.name) must be 1, true, 0 or false, not \"\(one.text)\"")
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
        throw UsageError("--\(name) is given twice")
      }
    }
    return (given, operands)
  }

  private static func known(_ word: String, _ settings: [Setting]) -> String {
    if settings.isEmpty { return "; this command takes no flags" }
    return Suggestion.text(
      for: word, among: settings.map { "--\($0.flag)" }, else: "--help lists the flags")
  }

  // MARK: Reading

  /// The file that the command works on. `-` is accepted only if it may be standard input.
  func operand(orStandardInput: Bool = false) throws -> String {
    guard let operand = operands.first, !operand.isEmpty else {
      throw UsageError("the argument FILE is missing")
    }
    guard operand != "-" || orStandardInput else {
      throw UsageError(
        "FILE must be the name of a file; only martlet import accepts - for standard input")
    }
    return operand
  }

  /// Whether a switch is on.
  func isOn(_ setting: Setting) -> Bool { values[setting.flag] != nil }
  /// The value as text, or the default.
  func text(_ setting: Setting) -> String { given(setting).first?.text ?? setting.fallback }
  /// The given values with their origins; empty if the default applies.
  func given(_ setting: Setting) -> [Given] { values[setting.flag] ?? [] }
  /// Whether the setting was given, and not left at its default.
  func isGiven(_ setting: Setting) -> Bool { !given(setting).isEmpty }
  /// The beginning of an error message about the value.
  func name(_ setting: Setting) -> String { given(setting).first?.name ?? "--\(setting.flag)" }

  /// The value as a case of `T`; `nil` if it is `other`.
  func oneOf<T: CaseIterable & RawRepresentable>(
    _ setting: Setting, or other: String
  ) throws -> T? where T.RawValue == String {
    text(setting) == other ? nil : try named(setting, T.allCases.map(\.rawValue) + [other])
  }

  /// The value as a case of `T`.
  func oneOf<T: CaseIterable & RawRepresentable>(_ setting: Setting) throws -> T
  where T.RawValue == String {
    try named(setting, T.allCases.map(\.rawValue))
  }

  private func named<T: RawRepresentable>(_ setting: Setting, _ names: [String]) throws -> T
  where T.RawValue == String {
    let text = text(setting)
    if let value = T(rawValue: text) { return value }
    throw UsageError(
      "\(name(setting)) must be one of \(names.joined(separator: ", ")), not \"\(text)\"")
  }

  /// The value as a number; a size is in bytes, a duration in milliseconds.
  func integer(_ setting: Setting) throws -> Int {
    let text = text(setting)
    let name = name(setting)
    switch setting.form {
    case .number(let range):
      guard let value = Int(text), range.contains(value) else {
        throw UsageError(
          "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\""
        )
      }
      return value
    case .size(let range): return try quantity(.size, text, range, name)
    case .duration(let range): return try quantity(.duration, text, range, name)
    case .text, .onOff, .list: preconditionFailure("--\(setting.flag) is no number")
    }
  }

  /// The value as a duration.
  func duration(_ setting: Setting) throws -> Duration { .milliseconds(try integer(setting)) }

  private func quantity(
    _ kind: Quantity, _ text: String, _ range: ClosedRange<Int>, _ name: String
  ) throws -> Int {
    guard let value = kind.parse(text), range.contains(value) else {
      // A number without a unit is in the smallest one, which is rarely intended.
      let isBare = Int(text) != nil
      let meaning = isBare ? ", which is \(text)\(kind.units[0].name)" : ""
      throw UsageError(
        """
        \(name) must be from \(kind.text(range.lowerBound)) to \(kind.text(range.upperBound)), \
        in \(kind.unitNames), not \"\(text)\"\(meaning)
        """)
    }
    return value
  }
}
