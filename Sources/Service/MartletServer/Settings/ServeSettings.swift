import Glibc
import MartletCourier
import MartletHTTP
import MartletLiveAPI
import MartletReminders
import MartletTime

/// The settings of `serve`.
struct ServeSettings {
  var host: String
  var port: UInt16
  var database: String
  var loops: Int
  var allowedHosts: [String]
  var allowedOrigins: [String]
  var trustedProxies: Set<Peer> = []
  var zones: ZoneSetting
  /// How long a reminder stays completing before it becomes completed.
  var gracePeriod: Duration
  /// The default alarms that clients cannot change.
  var fixedAlarms = DefaultAlarms.Values()
  /// How late an alarm may be and still rings.
  var alarmCatchUp: Duration
  /// Where channels may send to, besides hosts of the internet.
  var outgoingTo: [AllowedDestination] = []
  /// The address of this server for people, without a slash at its end.
  var publicURL: String?
  /// The address of this server's operator for push services: `mailto:…` or `https://…`.
  var pushContact: String?
  /// The hosts that browsers may name for Web Push; empty: any.
  var pushHosts: [PushHost] = []
  /// Whether nothing is sent to channels and devices.
  var sendsNothing = false
  /// Whether calendar programs find the lists.
  var hasCalDAV = true
  /// How long deleted rows are kept.
  var upkeep = Upkeep.Settings()
  /// How long requests in flight may take when the server is stopped.
  var drainTimeout: Duration
  var backups: BackupSchedule.Settings?
  var logLevel: Log.Level
  var logFormat: Log.Format
  /// The callers that may do everything as long as the database has never had an API key.
  var withoutKeys: Gate.Callers
  /// Whether to create an API key if the database has never had one.
  var makesFirstKey: Bool
  /// Whether the web app is served.
  var hasApp: Bool
  var bounds = LimitSetting.Bounds()
  /// How the server takes part in a cluster; `nil` for a server of its own.
  var cluster: ClusterOptions?

  init(_ values: Values) throws {
    host = values.text(.host)
    port = UInt16(try values.integer(.port))
    database = values.text(.database)
    loops = try values.integer(.loops)
    allowedHosts = values.given(.allowedHost).map(\.text)
    allowedOrigins = values.given(.allowedOrigin).map(\.text)
    zones = try ZoneSetting(values)
    gracePeriod = try values.duration(.gracePeriod)
    fixedAlarms.timed = try ServeSettings.offset(.defaultAlarm, values)
    fixedAlarms.day = try ServeSettings.offset(.defaultDayAlarm, values)
    alarmCatchUp = try values.duration(.alarmCatchUp)
    for given in values.given(.outgoingTo) {
      guard let destination = AllowedDestination(given.text) else {
        throw UsageError(
          "\(given.name) must be \(AllowedDestination.expected), not \"\(given.text)\"")
      }
      outgoingTo.append(destination)
    }
    for given in values.given(.pushTo) {
      guard let host = PushHost(given.text) else {
        throw UsageError("\(given.name) must be \(PushHost.expected), not \"\(given.text)\"")
      }
      pushHosts.append(host)
    }
    sendsNothing = values.isOn(.sendNothing)
    publicURL = try ServeSettings.publicURL(values)
    pushContact =
      try ServeSettings.pushContact(values)
      ?? publicURL.flatMap {
        $0.hasPrefix("https://") ? $0 : nil
      }
    hasCalDAV = !values.isOn(.noCalDAV)
    upkeep.tombstones = try values.duration(.keepTombstones)
    upkeep.trash = try values.duration(.keepTrash)
    upkeep.completions = try values.duration(.keepCompletions)
    drainTimeout = try values.duration(.drainTimeout)
    logLevel = try values.oneOf(.logLevel)
    // Text for people at a terminal, JSON for programs.
    logFormat =
      try values.oneOf(.logFormat, or: "auto") ?? (isatty(STDERR_FILENO) == 1 ? .text : .json)
    let every = try values.duration(.backupEvery)
    let keep = try values.integer(.backupKeep)
    if !values.text(.backupFolder).isEmpty {
      backups = .init(folder: values.text(.backupFolder), every: every, keep: keep)
    }
    for host in values.given(.allowedHost) where !ServeSettings.isHost(host.text) {
      throw UsageError(
        "\(host.name) must be a name or an address without a port, such as todo.example.org, not \"\(host.text)\""
      )
    }
    for origin in values.given(.allowedOrigin) where !ServeSettings.isOrigin(origin.text) {
      throw UsageError(
        "\(origin.name) must be an origin as browsers send it, such as https://todo.example.org, not \"\(origin.text)\""
      )
    }
    for given in values.given(.trustedProxy) {
      guard let proxy = Peer(address: given.text) else {
        throw UsageError("\(given.name) must be an IPv4 or IPv6 address, not \"\(given.text)\"")
      }
      trustedProxies.insert(proxy)
    }
    for limit in LimitSetting.all {
      limit.set(try values.integer(limit.setting), in: &bounds)
    }
    withoutKeys =
      values.isOn(.allowNoKeys)
      ? .everybody : HTTPServer.Configuration.isLoopback(host) ? .ofThisMachine : .nobody
    makesFirstKey = values.isOn(.firstKey)
    hasApp = !values.isOn(.noApp)
    cluster = try ClusterOptions(values)
  }

  /// The offset of a default alarm, inner `nil` for `none`; `nil` if it is not set.
  private static func offset(_ setting: Setting, _ values: Values) throws -> CivilDuration?? {
    let text = values.text(setting)
    if text.isEmpty { return nil }
    if text == "none" { return .some(nil) }
    guard let offset = AlarmTrigger.offset(text) else {
      throw UsageError(
        "\(values.name(setting)) must be none, or a duration of at most 366 days such as -PT10M, not \"\(text)\""
      )
    }
    return offset
  }

  private static func pushContact(_ values: Values) throws -> String? {
    let text = values.text(.pushContact)
    guard !text.isEmpty else { return nil }
    guard PushEnvelope.isContact(text) else {
      throw UsageError(
        "\(values.name(.pushContact)) must begin with mailto: or https:// and have at most 200 characters, not \"\(text)\""
      )
    }
    return text
  }

  private static func publicURL(_ values: Values) throws -> String? {
    var text = values.text(.publicURL)
    guard !text.isEmpty else { return nil }
    while text.hasSuffix("/") { text.removeLast() }
    guard text.wholeMatch(of: #/https?://[!-~&&[^/?#@"<>]]+(/[!-~&&[^?#"<>]]*)?/#) != nil else {
      throw UsageError(
        "\(values.name(.publicURL)) must be a URL without a query, such as https://todo.example.org, not \"\(values.text(.publicURL))\""
      )
    }
    return text
  }

  /// A warning if other machines may send requests but no host name that they could use is allowed.
  var unreachable: String? {
    guard withoutKeys == .everybody, !HTTPServer.Configuration.isLoopback(host),
      allowedHosts.isEmpty
    else { return nil }
    return """
      without keys only the hosts localhost, 127.0.0.1 and [::1] are served: name the host that clients use with \
      --allowed-host
      """
  }

  /// Whether the text is an origin as browsers send it (RFC 6454 section 6.2): scheme, host, and a
  /// port unless it is the scheme's default. `null` is not accepted, because it identifies no page.
  private static func isOrigin(_ text: String) -> Bool {
    guard let match = text.wholeMatch(of: #/(https?)://([^:\[\]]+|\[[^\]]+\])(?::(\d{1,5}))?/#)
    else {
      return false
    }
    let usual = match.1 == "https" ? "443" : "80"
    return isHost(match.2) && match.2.lowercased() == match.2 && match.3 != usual[...]
  }

  /// Whether the text is a host name or an address, without a port.
  private static func isHost(_ text: some StringProtocol) -> Bool {
    let text = String(text)
    return text.wholeMatch(of: #/[A-Za-z0-9_\-]+(\.[A-Za-z0-9_\-]+)*\.?|\[[0-9A-Fa-f:.]+\]/#) != nil
  }

  /// The number of event loops: as set, or one per core.
  var loopCount: Int { loops > 0 ? loops : max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }

  /// The host for URLs of clients on this machine. For a wildcard address it is loopback.
  var reachableHost: String { ServeSettings.reachable(host) }

  /// The host for URLs of clients on this machine, for a given value of `--host`. With `::` the
  /// server also listens on IPv4.
  static func reachable(_ host: String) -> String {
    switch host {
    case "0.0.0.0": "127.0.0.1"
    case "::", "[::]": "[::1]"
    default: host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    }
  }
}
