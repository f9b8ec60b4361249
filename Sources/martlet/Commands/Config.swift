/// `martlet config`: what is in force, and where it comes from. A configuration file like that says the same. Ends with
/// the error with which `serve` would refuse to start.
enum Config {
  static func run(_ values: Values) throws {
    let settings = try ServeSettings(values)
    let width = values.settings.map(\.flag.count).max() ?? 0
    for setting in values.settings {
      let texts =
        switch setting.form {
        case .onOff: [values.isOn(setting) ? "true" : "false"]
        case .list: values.list(setting)
        case .text, .number, .size, .duration: [values.text(setting)]
        }
      let name = setting.flag + String(repeating: " ", count: width - setting.flag.count)
      let origin = values.origin(setting).map { "   # \($0)" } ?? ""
      // A file cannot name another one.
      if texts.isEmpty || texts == [""] || setting.flag == Setting.configuration.flag {
        print("# \(name) = \(texts.first ?? "")\(origin)")
      } else {
        for text in texts { print("\(name) = \(text)\(origin)") }
      }
    }
    for check in StartCheck.all {
      do { _ = try check.look(settings) } catch let failure as ListenFailure where failure.isRunning
      {
        // The service itself, beside which this is asked.
      }
    }
  }
}
