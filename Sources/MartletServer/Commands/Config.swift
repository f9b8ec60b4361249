/// `martlet config`: what is in force, and where it comes from. A configuration file like that says the same. Ends with
/// the error with which `serve` would refuse to start.
enum Config {
  static func run(_ values: Values) throws {
    let settings = try ServeSettings(values)
    let width = values.settings.map(\.flag.count).max() ?? 0
    for setting in values.settings {
      let name = setting.flag + String(repeating: " ", count: width - setting.flag.count)
      let given = values.given(setting)
      let lines: [(text: String, origin: String)] =
        given.isEmpty
        ? [(setting.form == .onOff ? "false" : setting.fallback, "")]
        : given.map { (setting.form == .onOff ? "true" : $0.text, "   # \($0.origin)") }
      for line in lines {
        // A file cannot name another one.
        let isComment = line.text.isEmpty || setting.flag == Setting.configuration.flag
        print("\(isComment ? "# " : "")\(name) = \(line.text)\(line.origin)")
      }
    }
    for check in StartCheck.all {
      do { _ = try check.run(settings) } catch let failure as ListenFailure where failure.isRunning
      {
        // The service itself, beside which this is asked.
      }
    }
  }
}
