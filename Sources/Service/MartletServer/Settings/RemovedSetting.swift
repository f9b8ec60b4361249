import MartletTime

/// A former setting. Its flag is an error. Its variable and its line in the configuration file are
/// ignored with a warning until 1.0.
///
/// The limit itself still exists as a property of a library's settings, for use in code.
struct RemovedSetting: Sendable {
  /// The flag without its leading dashes: `look-around`.
  let flag: String
  let successor: Successor

  /// What holds instead of the setting.
  enum Successor: Equatable {
    /// A fixed value, written with its unit.
    case value(String)
    /// A setting with this name.
    case setting(String)
  }

  /// The environment variable: `MARTLET_LOOK_AROUND`.
  var variable: String { setting.variable }

  /// The error if the flag is used.
  var refusal: String { "--\(flag) is no longer a setting: \(advice { "--\($0.flag)" })" }

  /// The warning if the variable is used.
  var warningOfVariable: String {
    "\(variable) is no longer a setting and is ignored: \(advice { $0.variable })"
  }

  /// The warning if the line `origin` of the configuration file sets it.
  func warning(inFile origin: String) -> String {
    "\(origin): \(flag) is no longer a setting and is ignored: \(advice { $0.flag })"
  }

  /// What to do instead. `name` names the new setting at the same place: as a flag, a variable, or
  /// in the file.
  private func advice(_ name: (Setting) -> String) -> String {
    switch successor {
    case .value(let value): "remove it; its value is fixed at \(value)"
    case .setting(let flag): "use \(name(RemovedSetting.named(flag)))"
    }
  }
  private var setting: Setting { RemovedSetting.named(flag) }

  /// A setting that has a flag and a variable, and nothing else that counts here.
  private static func named(_ flag: String) -> Setting {
    Setting(flag: flag, form: .text(placeholder: ""), fallback: "", help: "")
  }

  private typealias Bounds = LimitSetting.Bounds

  private static func count(_ flag: String, _ path: KeyPath<Bounds, Int>) -> RemovedSetting {
    RemovedSetting(flag: flag, successor: .value("\(Bounds()[keyPath: path])"))
  }

  private static func size(_ flag: String, _ path: KeyPath<Bounds, Int>) -> RemovedSetting {
    RemovedSetting(flag: flag, successor: .value(Quantity.size.text(Bounds()[keyPath: path])))
  }

  private static func time(_ flag: String, _ path: KeyPath<Bounds, Duration>) -> RemovedSetting {
    RemovedSetting(
      flag: flag,
      successor: .value(Quantity.duration.text(Bounds()[keyPath: path].wholeMilliseconds)))
  }

  /// All former settings.
  static let all =
    withValues + [
      RemovedSetting(flag: "hot-results", successor: .setting("response-cache"))
    ]

  /// The former settings whose value is now fixed, in the order of `docs/settings.md`.
  static let withValues: [RemovedSetting] = [
    size("max-request-line", \.http.requestLine),
    size("max-field-line", \.http.fieldLine),
    size("max-header", \.http.headerSection),
    count("max-fields", \.http.fieldCount),
    size("max-bodies", \.http.bodyBytes),
    size("max-chunk-extensions", \.http.chunkExtensions),
    size("max-trailer", \.http.trailerSection),
    count("max-trailer-fields", \.http.trailerCount),
    count("max-json-depth", \.api.jsonDepth),
    time("head-timeout", \.http.headTimeout),
    time("body-pause", \.http.bodyPause),
    time("body-timeout", \.http.bodyTimeout),
    time("write-timeout", \.http.writeTimeout),
    time("stream-lifetime", \.http.streamLifetime),
    time("linger-timeout", \.http.lingerTimeout),
    size("max-linger", \.http.lingerBytes),
    count("max-requests-per-connection", \.http.requestsPerConnection),
    time("live-session", \.gate.sessionLifetime),
    size("max-queued-output", \.http.queuedOutput),
    size("send-buffer", \.http.sendBuffer),
    size("stream-buffer", \.http.streamBuffer),
    time("retry-after", \.http.retryAfter),
    count("max-queued-writes", \.store.writeQueueLimit),
    time("write-patience", \.store.writeQueueTimeout),
    count("max-group", \.store.groupLimit),
    time("group-time", \.store.groupTime),
    count("max-queued-reads", \.store.workerQueueLimit),
    time("read-patience", \.store.workerQueueTimeout),
    time("bundle-patience", \.api.bundleTimeout),
    count("max-exports", \.api.downloads),
    count("max-kept-answers", \.api.keptAnswers),
    count("readers", \.store.workerReaders),
    time("busy-timeout", \.store.busyTimeout),
    time("look-around", \.store.otherWritersInterval),
    count("checkpoint-frames", \.store.checkpointFrames),
  ]
}
