/// The manual pages, made of the tables that `--help` prints.
enum ManualPages {
  /// The name of each file, such as `martlet-key.1`, and its text.
  static var all: [(name: String, text: String)] {
    [("martlet.1", program), ("martlet.conf.5", configuration)]
      + Command.listed.map { ("\(page(of: $0)).1", text(of: $0)) }
  }

  private static func page(of command: Command) -> String { "martlet-\(command.rawValue)" }

  private static var program: String {
    var page = Roff("martlet", section: 1, summary: "live JSON API server over SQLite")
    page.section("Synopsis")
    page.entry("martlet", "[command] [--flag value]…", ["Without a command it serves."])
    page.section("Description")
    page.paragraph(
      "A self-hosted service of reminders: lists, reminders, tags, full-text search. Each GET can be followed as a stream of events, which sends its result whenever a commit changes it. It has a web app, and lists are calendars for other programs."
    )
    page.section("Commands")
    for command in Command.listed {
      page.entry(command.rawValue, command.operands, ["\(sentence(command.summary))"])
    }
    page.section("Environment")
    page.paragraph(
      "Each setting has a variable that begins with MARTLET_, which the pages of the commands name. A flag takes precedence over its variable, the variable over the configuration file, and the file over the default."
    )
    page.section("Exit status")
    page.entry("0", "", ["The command has done its work."])
    page.entry("1", "", ["It failed; standard error says why."])
    page.entry("2", "", ["The command line or a setting is wrong."])
    page.entry("74", "", ["The server has stopped because the disk failed or its file is gone."])
    page.section("Examples")
    page.example([
      "martlet serve --database reminders.db",
      "martlet key create --name phone --scope write --database reminders.db",
      "martlet backup reminders-2027-01-31.db --database reminders.db",
    ])
    page.see([("martlet.conf", 5)] + Command.listed.map { (self.page(of: $0), 1) })
    return page.text
  }

  private static func text(of command: Command) -> String {
    var page = Roff(
      self.page(of: command), section: 1,
      summary: String(command.summary.prefix { $0 != ":" && $0 != ";" }))
    page.section("Synopsis")
    page.entry(
      "martlet \(command.rawValue)",
      command.operands + (command.settings.isEmpty ? "" : " [--flag value]…"), [])
    page.section("Description")
    page.paragraph(sentence(command.summary))
    if !command.settings.isEmpty {
      page.section("Options")
      for setting in command.settings {
        page.entry(
          "--\(setting.flag)", setting.form.placeholder,
          [sentence(setting.help)] + fallback(setting) + ["Variable: \(setting.variable)"])
      }
    }
    page.see([("martlet", 1), ("martlet.conf", 5)])
    return page.text
  }

  private static var configuration: String {
    var page = Roff("martlet.conf", section: 5, summary: "configuration file of martlet")
    page.section("Description")
    page.paragraph(
      "The file has one setting in each line, named like its flag. A comment begins with #, at the start of the line or after white space. A switch is true or false; values of a list are repeated. martlet serve reads the file that --config or MARTLET_CONFIG names, and the systemd unit reads /etc/martlet.conf. martlet config prints the effective settings as such a file."
    )
    page.paragraph(
      "A size is a number with B, KiB, MiB or GiB, a duration one with ms, s, min, h or d. Numbers without a unit are bytes or milliseconds."
    )
    page.section("Settings")
    for setting in Command.serve.settings where setting.flag != Setting.configuration.flag {
      let value = setting.form.placeholder.isEmpty ? "true" : setting.form.placeholder
      page.entry("\(setting.flag) =", value, [sentence(setting.help)] + fallback(setting))
    }
    page.section("Examples")
    page.example([
      "# behind a proxy on the same machine", "port = 8080", "allowed-host = todo.example.org",
      "backup-dir = /var/lib/martlet/backups",
    ])
    page.section("Files")
    page.entry("/etc/martlet.conf", "", ["The file of the systemd unit."])
    page.see([("martlet", 1), ("martlet-serve", 1), ("martlet-config", 1)])
    return page.text
  }

  private static func fallback(_ setting: Setting) -> [String] {
    setting.fallback.isEmpty ? [] : ["Default: \(setting.fallback)"]
  }

  private static func sentence(_ words: String) -> String {
    words.prefix(1).uppercased() + words.dropFirst() + "."
  }
}
