/// A setting, which is set by a flag, an environment variable or a line of the configuration file.
///
/// `--help` prints the table of all settings, and `docs/settings.md` documents it.
struct Setting: Sendable {
  /// The type of the value.
  enum Form: Sendable, Equatable {
    /// Any text. The placeholder stands for it in `--help`.
    case text(_ placeholder: String)
    /// A whole number.
    case number(ClosedRange<Int>)
    /// A size such as `64KiB`. The range is in bytes.
    case size(ClosedRange<Int>)
    /// A duration such as `10s`. The range is in milliseconds.
    case duration(ClosedRange<Int>)
    /// A switch: on if the flag is given, or if the variable is 1 or true.
    case onOff
    /// Several values: the flag is repeated, and the variable has commas between them.
    case list(_ placeholder: String)

    /// The placeholder of the value in `--help`; empty for a switch.
    var placeholder: String {
      switch self {
      case .text(let placeholder), .list(let placeholder): placeholder
      case .number: "N"
      case .size: "SIZE"
      case .duration: "TIME"
      case .onOff: ""
      }
    }

    /// Whether the flag may be given several times.
    var isRepeatable: Bool { if case .list = self { true } else { false } }

    /// A number of this form, written with its unit.
    func text(_ value: Int) -> String {
      switch self {
      case .size: Quantity.size.text(value)
      case .duration: Quantity.duration.text(value)
      case .number, .text, .onOff, .list: "\(value)"
      }
    }
  }

  /// The flag without its leading dashes: `allow-no-keys`. It is also the name in the configuration
  /// file.
  let flag: String
  let form: Form
  /// The default; may be empty.
  let fallback: String
  /// The description for `--help` and `docs/settings.md`.
  let help: String
  /// The values that a text may have, if there are only some.
  let choices: [String]
  /// The environment variable, if the one derived from the flag belongs to another setting.
  private let ownVariable: String?

  init(
    _ flag: String, _ form: Form, fallback: String = "", _ help: String, choices: [String] = [],
    ownVariable: String? = nil
  ) {
    (self.flag, self.form, self.fallback, self.help) = (flag, form, fallback, help)
    (self.choices, self.ownVariable) = (choices, ownVariable)
  }

  /// The environment variable: `MARTLET_ALLOW_NO_KEYS`.
  var variable: String {
    if let ownVariable { return ownVariable }
    let name = flag.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    if case .list = form {
      return name.hasSuffix("Y") ? "MARTLET_\(name.dropLast())IES" : "MARTLET_\(name)S"
    }
    return "MARTLET_\(name)"
  }

  /// The flag with a placeholder for its value: `--port N`.
  var usage: String { form == .onOff ? "--\(flag)" : "--\(flag) \(form.placeholder)" }
}
