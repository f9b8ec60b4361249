/// What can be set, but for the limits (``LimitSetting``).
extension Setting {
  static let serve: [Setting] = [
    .configuration, .host, .port, .database, .loops, .allowNoKeys, .firstKey, .allowedHost,
    .allowedOrigin,
    .trustedProxy,
    .timeZone, .gracePeriod, .drainTimeout, .logLevel, .logFormat, .backupFolder, .backupEvery,
    .backupKeep,
  ]

  static let configuration = Setting(
    flag: "config", form: .text(placeholder: "FILE"), fallback: "",
    help: "a file of settings, a line each: name = value")
  static let host = Setting(
    flag: "host", form: .text(placeholder: "ADDRESS"), fallback: "127.0.0.1",
    help: "the address to listen on; beyond loopback only with keys, or --allow-no-keys")
  static let port = Setting(
    flag: "port", form: .number(0...65_535), fallback: "8080",
    help: "the port, 0 to 65535; 0 takes a free one and prints it")
  static let database = Setting(
    flag: "database", form: .text(placeholder: "FILE"), fallback: "./data/martlet.db",
    help: "the database file; made, with its folder, when it is missing")
  /// Of commands that do not create it: a mistyped name would give an empty one.
  static let existingDatabase = Setting(
    flag: "database", form: .text(placeholder: "FILE"), fallback: "./data/martlet.db",
    help: "the database file, which has to exist")
  static let loops = Setting(
    flag: "loops", form: .number(0...64), fallback: "0",
    help: "event loops, 1 to 64; 0 means one for each core")
  static let allowNoKeys = Setting(
    flag: "allow-no-keys", form: .onOff, fallback: "",
    help: "serve beyond loopback without API keys: who reaches the port may do everything")
  static let firstKey = Setting(
    flag: "first-key", form: .onOff, fallback: "",
    help: "where there was never a key, make one for everything and print it, once")
  static let allowedHost = Setting(
    flag: "allowed-host", form: .list(placeholder: "NAME"), fallback: "",
    help: "a further name that requests may have in Host; repeatable")
  static let allowedOrigin = Setting(
    flag: "allowed-origin", form: .list(placeholder: "ORIGIN"), fallback: "",
    help: "a further origin whose pages may read and write, as https://todo.example.org; repeatable"
  )
  static let trustedProxy = Setting(
    flag: "trusted-proxy", form: .list(placeholder: "ADDRESS"), fallback: "",
    help: "a proxy whose X-Forwarded-For and X-Forwarded-Host are believed; repeatable")
  static let timeZone = Setting(
    flag: "time-zone", form: .text(placeholder: "ZONE"), fallback: "UTC",
    help: "the zone, as Europe/Vienna, whose day today is for requests without timeZone=")
  static let gracePeriod = Setting(
    flag: "grace-period", form: .duration(0...3_600_000), fallback: "400ms",
    help: "from completing to completed")
  static let drainTimeout = Setting(
    flag: "drain-timeout", form: .duration(0...600_000), fallback: "10s",
    help: "how long requests in flight may take when the server is stopped")
  static let logLevel = Setting(
    flag: "log-level", form: .text(placeholder: "LEVEL"), fallback: "info",
    help: "error, warning, info (a line for each request), or debug")
  static let logFormat = Setting(
    flag: "log-format", form: .text(placeholder: "FORMAT"), fallback: "auto",
    help: "text, json, or auto: text on a terminal and JSON elsewhere")
  static let backupFolder = Setting(
    flag: "backup-dir", form: .text(placeholder: "DIR"), fallback: "",
    help: "a folder for backups, which are made while the server runs; made when it is missing")
  static let backupEvery = Setting(
    flag: "backup-every", form: .duration(1_000...2_592_000_000), fallback: "24h",
    help: "from one backup to the next")
  static let backupKeep = Setting(
    flag: "backup-keep", form: .number(1...10_000), fallback: "7",
    help: "how many backups are kept; the oldest goes first")
  static let force = Setting(
    flag: "force", form: .onOff, fallback: "", help: "replace the database that is there")
  static let format = Setting(
    flag: "format", form: .text(placeholder: "FORMAT"), fallback: "ndjson",
    help:
      "ndjson: all of it, a JSON object a line; csv: the reminders as a table; ics: as to-dos of a calendar",
    ownVariable: "MARTLET_TRANSFER_FORMAT")
  /// `import` can tell by itself, so its default is another one.
  static let importFormat = Setting(
    flag: "format", form: .text(placeholder: "FORMAT"), fallback: "auto",
    help: "ndjson, csv or ics; auto: by the file's first bytes, or its name",
    ownVariable: "MARTLET_TRANSFER_FORMAT")
  static let name = Setting(
    flag: "name", form: .text(placeholder: "NAME"), fallback: "",
    help: "what the key is for: phone, kitchen display", ownVariable: "MARTLET_KEY_NAME")
  static let scope = Setting(
    flag: "scope", form: .text(placeholder: "SCOPE"), fallback: "",
    help: "read; write, which may change things, too; or admin, which may do everything",
    ownVariable: "MARTLET_KEY_SCOPE")
  static let list = Setting(
    flag: "list", form: .list(placeholder: "ID"), fallback: "",
    help: "a list that the key is limited to; repeatable", ownVariable: "MARTLET_KEY_LISTS")
  static let expires = Setting(
    flag: "expires", form: .duration(0...3_153_600_000_000), fallback: "0ms",
    help: "after which the key does not hold any more, as 90d; 0: never",
    ownVariable: "MARTLET_KEY_EXPIRES")
  static let lists = Setting(
    flag: "lists", form: .number(1...100_000), fallback: "10",
    help: "how many lists; without --reminders they are empty")
  static let reminders = Setting(
    flag: "reminders", form: .number(0...10_000_000), fallback: "0",
    help: "how many reminders, spread over the lists; without --lists, 0 writes the small demo")
  static let randomSeed = Setting(
    flag: "random-seed", form: .number(0...Int.max), fallback: "1",
    help: "the same seed makes the same reminders")
}
