/// One thing that can be set: by a flag, by a variable, or not at all. The table of these is what
/// `--help` prints and `docs/settings.md` tells.
struct Setting: Sendable {
  enum Form: Sendable, Equatable {
    case text(placeholder: String)
    case number(ClosedRange<Int>)
    /// In bytes: `64KiB`.
    case size(ClosedRange<Int>)
    /// In milliseconds: `10s`.
    case duration(ClosedRange<Int>)
    /// On when the flag is there, or the variable is 1 or true.
    case onOff
    /// The flag repeatedly, the variable with commas.
    case list(placeholder: String)

    /// As a person would write a number of this kind.
    func text(_ value: Int) -> String {
      switch self {
      case .size: Quantity.size.text(value)
      case .duration: Quantity.duration.text(value)
      case .number, .text, .onOff, .list: "\(value)"
      }
    }
  }

  /// Without dashes: `allow-no-keys`. The configuration file calls it so.
  let flag: String
  let form: Form
  let fallback: String
  let help: String
  /// Where the flag's own name would be another setting's variable.
  var ownVariable: String? = nil

  /// `MARTLET_ALLOW_NO_KEYS`
  var variable: String {
    if let ownVariable { return ownVariable }
    let name = flag.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    if case .list = form {
      return name.hasSuffix("Y") ? "MARTLET_\(name.dropLast())IES" : "MARTLET_\(name)S"
    }
    return "MARTLET_\(name)"
  }

  var usage: String {
    switch form {
    case .text(let placeholder), .list(let placeholder): "--\(flag) \(placeholder)"
    case .number: "--\(flag) N"
    case .size: "--\(flag) SIZE"
    case .duration: "--\(flag) TIME"
    case .onOff: "--\(flag)"
    }
  }
}
