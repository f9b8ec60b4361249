import MartletJSON
import MartletTime

extension CourierLine {
  static func bytes(_ settings: CourierSettings) -> [UInt8] {
    var object: JSONObject = [
      "allowed": .array(settings.rules.allowed.map { .string("\($0)") }),
      "userAgent": .string(settings.userAgent),
      "connectTimeout": .integer(Int64(settings.connectTimeout.wholeMilliseconds)),
      "timeout": .integer(Int64(settings.timeout.wholeMilliseconds)),
      "mailTimeout": .integer(Int64(settings.mailTimeout.wholeMilliseconds)),
      "idleTimeout": .integer(Int64(settings.idleTimeout.wholeMilliseconds)),
      "bodyLimit": .integer(Int64(settings.bodyLimit)),
      "headerLimit": .integer(Int64(settings.headerLimit)),
      "curl": .string(settings.curlLibrary),
      "crypto": .string(settings.cryptoLibrary),
    ]
    if let port = settings.rules.ownPort { object["ownPort"] = .integer(Int64(port)) }
    if let certificates = settings.certificates { object["certificates"] = .string(certificates) }
    return bytes(object)
  }

  /// Reads the settings. Returns `nil` if the line is invalid, also if one of the rules is: without
  /// a rule the others could allow more.
  static func settings(_ line: [UInt8]) -> CourierSettings? {
    guard let value = try? JSONValue.parse(line), let allowed = value["allowed"]?.array,
      let userAgent = value["userAgent"]?.string,
      let connectTimeout = Duration(milliseconds: value["connectTimeout"]),
      let timeout = Duration(milliseconds: value["timeout"]),
      let mailTimeout = Duration(milliseconds: value["mailTimeout"]),
      let idleTimeout = Duration(milliseconds: value["idleTimeout"]),
      let bodyLimit = value["bodyLimit"]?.int64, let headerLimit = value["headerLimit"]?.int64,
      let curl = value["curl"]?.string, let crypto = value["crypto"]?.string
    else { return nil }
    var rules = OutgoingRules()
    for one in allowed {
      guard let destination = one.string.flatMap({ AllowedDestination($0) }) else { return nil }
      rules.allowed.append(destination)
    }
    if let port = value["ownPort"] {
      guard let number = port.int64.flatMap({ UInt16(exactly: $0) }) else { return nil }
      rules.ownPort = number
    }
    var settings = CourierSettings(rules: rules, userAgent: userAgent)
    settings.connectTimeout = connectTimeout
    settings.timeout = timeout
    settings.mailTimeout = mailTimeout
    settings.idleTimeout = idleTimeout
    settings.bodyLimit = Int(bodyLimit)
    settings.headerLimit = Int(headerLimit)
    settings.certificates = value["certificates"]?.string
    settings.curlLibrary = curl
    settings.cryptoLibrary = crypto
    return settings
  }
}
