/// All settings except the limits (``LimitSetting``).
extension Setting {
  /// The settings of `serve`, except the limits.
  static let serve: [Setting] =
    [
      .configuration, .host, .port, .database, .loops, .allowNoKeys, .firstKey, .allowedHost,
      .allowedOrigin, .trustedProxy, .noApp, .timeZone, .gracePeriod, .defaultAlarm,
      .defaultDayAlarm, .alarmCatchUp, .outgoingTo, .publicURL, .pushContact, .pushTo, .sendNothing,
      .noCalDAV, .keepTrash,
      .keepTombstones, .keepCompletions, .drainTimeout, .logLevel, .logFormat, .backupFolder,
      .backupEvery, .backupKeep,
    ] + cluster

  /// The settings of a node of a cluster.
  static let cluster: [Setting] = [
    .clusterAddress, .clusterHTTP, .clusterBootstrap, .clusterJoin, .clusterSecretFile,
    .clusterFolder, .clusterLatency, .clusterPatience, .staleReads, .clusterTrustNetwork,
  ]

  static let clusterAddress = Setting(
    "cluster-address", .text("ADDRESS"),
    "run as a node of a cluster: the IPv4 address and port for its log, such as 10.88.0.1:9501, which all other nodes reach"
  )
  static let clusterHTTP = Setting(
    "cluster-http", .text("ADDRESS"),
    "the internal address and port for requests of other nodes, such as 10.88.0.1:9502")
  static let clusterBootstrap = Setting(
    "cluster-bootstrap", .onOff,
    "begin a cluster with this node and its database; ignored once the node exists")
  static let clusterJoin = Setting(
    "cluster-join", .list("ADDRESS"),
    "join the cluster of the node with this --cluster-http; repeatable; ignored once the node exists"
  )
  static let clusterSecretFile = Setting(
    "cluster-secret-file", .text("FILE"),
    "the file with the secret of the cluster, the same on all nodes, mode 600")
  static let clusterFolder = Setting(
    "cluster-dir", .text("DIR"),
    "the folder of the node's log; by default the database with .cluster after its name")
  static let clusterLatency = Setting(
    "cluster-latency", .duration(10...200), fallback: "20ms",
    "how long a message between two nodes takes at most; elections begin after 15 times of it; the same on all nodes"
  )
  static let clusterPatience = Setting(
    "cluster-patience", .duration(0...60_000), fallback: "2s",
    "how long requests wait while the nodes elect a primary")
  static let staleReads = Setting(
    "stale-reads", .onOff,
    "in a cluster, answer GET also while no primary is known, from a file that may be outdated: for Martlet-Age seconds"
  )
  static let clusterTrustNetwork = Setting(
    "cluster-trust-network", .onOff,
    "allow addresses that are not those of a private network; nothing is encrypted")

  static let verify = Setting(
    "verify", .onOff, "with cluster status: compare the content of all nodes")

  static let configuration = Setting(
    "config", .text("FILE"), "a configuration file with one setting per line: name = value")
  static let host = Setting(
    "host", .text("ADDRESS"), fallback: "127.0.0.1",
    "the address to listen on, :: for all of IPv4 and IPv6; any other than loopback needs an API key or --allow-no-keys"
  )
  static let port = Setting(
    "port", .number(0...65_535), fallback: "8080",
    "the port to listen on, 0 to 65535; 0 picks a free port and prints it")
  /// The setting `host` for a client of the server.
  static let serverHost = Setting(
    "host", .text("ADDRESS"), fallback: "127.0.0.1",
    "the address that the server listens on, as in its own --host")
  /// The setting `port` for a client of the server.
  static let serverPort = Setting(
    "port", .number(1...65_535), fallback: "8080", "the port that the server listens on, 1 to 65535"
  )
  static let database = Setting(
    "database", .text("FILE"), fallback: "./data/martlet.db",
    "the database file; created, with its folder, if it is missing")
  /// The setting `database` for commands that do not create the file, because a mistyped path would
  /// silently make an empty one.
  static let existingDatabase = Setting(
    "database", .text("FILE"), fallback: "./data/martlet.db", "the database file, which must exist")
  /// The setting `database` for the command that replaces or creates the file.
  static let restoredDatabase = Setting(
    "database", .text("FILE"), fallback: "./data/martlet.db",
    "the database file to restore; created, with its folder, if it is missing")
  static let loops = Setting(
    "loops", .number(0...64), fallback: "0", "the number of event loops, 1 to 64; 0: one per core")
  static let allowNoKeys = Setting(
    "allow-no-keys", .onOff,
    "serve on a non-loopback address without API keys: every client that uses a name of --allowed-host can read and write everything"
  )
  static let firstKey = Setting(
    "first-key", .onOff,
    "if the database never had a key, create one with the scope admin and print it once")
  static let allowedHost = Setting(
    "allowed-host", .list("NAME"), "an additional name to accept in the Host header; repeatable")
  static let allowedOrigin = Setting(
    "allowed-origin", .list("ORIGIN"),
    "an additional origin whose pages may read and write, such as https://todo.example.org; repeatable"
  )
  static let noApp = Setting("no-app", .onOff, "do not serve the web app; / is the page /try then")
  static let trustedProxy = Setting(
    "trusted-proxy", .list("ADDRESS"),
    "the address of a proxy whose X-Forwarded-For and X-Forwarded-Host are trusted; repeatable")
  static let timeZone = Setting(
    "time-zone", .text("ZONE"),
    "the time zone of reminders and requests without one, such as Europe/Vienna; by default, that of the machine for reminders, and UTC for requests"
  )
  static let gracePeriod = Setting(
    "grace-period", .duration(0...3_600_000), fallback: "400ms",
    "how long a reminder stays completing before it becomes completed")
  static let defaultAlarm = Setting(
    "default-alarm", .text("OFFSET"),
    "the alarm of a reminder that is due at a time and names none, counted from that time, such as -PT10M; none: no alarm; by default, what PATCH /v1/settings has set"
  )
  static let defaultDayAlarm = Setting(
    "default-day-alarm", .text("OFFSET"),
    "the same for a reminder that is due on a day, counted from its midnight, such as PT9H"
  )
  static let alarmCatchUp = Setting(
    "alarm-catch-up", .duration(60_000...31_536_000_000), fallback: "24h",
    "how late an alarm may ring, after a time without a server; a later one does not ring")
  static let outgoingTo = Setting(
    "outgoing-to", .list("DESTINATION"),
    "an address, a network such as 192.168.1.0/24 or a host name of your own network that channels may send to; repeatable",
    ownVariable: "MARTLET_OUTGOING_TO")
  static let publicURL = Setting(
    "public-url", .text("URL"),
    "the address of this server for people, such as https://todo.example.org, for links in messages"
  )
  static let pushContact = Setting(
    "push-contact", .text("ADDRESS"),
    "the address of this server's operator for push services, such as mailto:you@example.org; by default, that of --public-url if it has https, else that from which a browser has subscribed"
  )
  static let pushTo = Setting(
    "push-to", .list("HOST"),
    "a host that browsers may name for Web Push, such as fcm.googleapis.com or *.push.apple.com; repeatable; by default, any",
    ownVariable: "MARTLET_PUSH_TO")
  static let sendNothing = Setting(
    "send-nothing", .onOff,
    "send nothing to channels and devices, for a copy of a database that another server uses")
  static let noCalDAV = Setting(
    "no-caldav", .onOff, "answer nothing below /dav, where calendar programs find the lists")
  static let keepTrash = Setting(
    "keep-trash", .duration(0...315_360_000_000), fallback: "30d",
    "how long deleted lists and reminders can be restored; 0: a deletion is final")
  static let keepTombstones = Setting(
    "keep-tombstones", .duration(60_000...315_360_000_000), fallback: "90d",
    "how long GET /v1/changes remembers a deletion; an older client begins anew")
  static let keepCompletions = Setting(
    "keep-completions", .duration(0...315_360_000_000), fallback: "1095d",
    "how long GET /v1/completions remembers a completion; 0: for ever")
  static let drainTimeout = Setting(
    "drain-timeout", .duration(0...600_000), fallback: "10s",
    "how long requests in flight may take when the server is stopped")
  static let logLevel = Setting(
    "log-level", .text("LEVEL"), fallback: "info",
    "the lowest level to log: error, warning, info (one line per request) or debug",
    choices: ["error", "warning", "info", "debug"])
  static let logFormat = Setting(
    "log-format", .text("FORMAT"), fallback: "auto",
    "text, json, or auto: text on a terminal, otherwise JSON", choices: ["auto", "text", "json"])
  static let backupFolder = Setting(
    "backup-dir", .text("DIR"),
    "the folder for scheduled backups, created if it is missing; without it, no backups are made")
  static let backupEvery = Setting(
    "backup-every", .duration(1_000...2_592_000_000), fallback: "24h",
    "the time between two scheduled backups")
  static let backupKeep = Setting(
    "backup-keep", .number(1...10_000), fallback: "7",
    "how many scheduled backups to keep; older ones are deleted")
  static let force = Setting(
    "force", .onOff, "replace an existing database; only as a flag, a variable or a file is refused"
  )
  static let format = Setting(
    "format", .text("FORMAT"), fallback: "ndjson",
    "ndjson: everything, one JSON object per line; csv: the reminders as a table; ics: the reminders as calendar to-dos",
    choices: ["ndjson", "csv", "ics"], ownVariable: "MARTLET_TRANSFER_FORMAT")
  /// The setting `format` of `import`, which detects the format by default.
  static let importFormat = Setting(
    "format", .text("FORMAT"), fallback: "auto",
    "ndjson, csv or ics; auto: detect it from the file's first bytes or its name",
    choices: ["auto", "ndjson", "csv", "ics"], ownVariable: "MARTLET_TRANSFER_FORMAT")
  static let update = Setting(
    "update", .onOff,
    "change the reminders of a calendar file that are in its list already, by UID, instead of adding them again",
    ownVariable: "MARTLET_IMPORT_UPDATE")
  static let exportedList = Setting(
    "list", .number(1...Int.max), "export only the list with this ID",
    ownVariable: "MARTLET_EXPORT_LIST")
  static let name = Setting(
    "name", .text("NAME"), "what the key is for, such as phone or kitchen display",
    ownVariable: "MARTLET_KEY_NAME")
  static let scope = Setting(
    "scope", .text("SCOPE"),
    "what the key allows: read, write (read and change) or admin, which is everything",
    choices: ["read", "write", "admin"], ownVariable: "MARTLET_KEY_SCOPE")
  static let list = Setting(
    "list", .list("ID"), "the ID of a list to limit the key to; repeatable",
    ownVariable: "MARTLET_KEY_LISTS")
  static let expires = Setting(
    "expires", .duration(0...3_153_600_000_000), fallback: "0",
    "how long the key is valid, such as 90d; 0: it never expires",
    ownVariable: "MARTLET_KEY_EXPIRES")
  static let lists = Setting(
    "lists", .number(1...100_000), fallback: "10",
    "the number of lists to create; without --reminders they are empty")
  static let reminders = Setting(
    "reminders", .number(0...10_000_000), fallback: "0",
    "the number of reminders to create, spread over the lists; 0 without --lists: a small demo")
  static let randomSeed = Setting(
    "random-seed", .number(0...Int.max), fallback: "1",
    "the seed of the random data; the same seed creates the same reminders")
}
