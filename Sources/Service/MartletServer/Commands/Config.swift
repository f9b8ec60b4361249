/// `martlet config`: prints the settings that `serve` would use, and the origin of each value.
///
/// The output is itself a valid configuration file. If `serve` would refuse to start, the command
/// ends with the same error.
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
        // A configuration file cannot include another one.
        let isComment = line.text.isEmpty || setting.flag == Setting.configuration.flag
        print("\(isComment ? "# " : "")\(name) = \(line.text)\(line.origin)")
      }
    }
    for check in StartCheck.all {
      do { _ = try check.run(settings) } catch let failure as ListenFailure where failure.isRunning
      {
        // The server of this database is running and has the port: not an error.
      }
    }
  }
}
