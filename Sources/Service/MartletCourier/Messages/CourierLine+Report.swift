import MartletJSON
import MartletTime

extension CourierLine {
  static func bytes(_ report: Report) -> [UInt8] {
    switch report {
    case .ready: bytes(["ready": true])
    case .unable(let text): bytes(["unable": .string(text)])
    case .result(let id, let result): bytes(members(id, result))
    case .key(let id, let key):
      bytes([
        "id": .integer(Int64(id)), "privateKey": .string(key.privateKey),
        "publicKey": .string(key.publicKey),
      ])
    }
  }

  private static func members(_ id: UInt64, _ result: CourierResult) -> JSONObject {
    var object: JSONObject = [
      "id": .integer(Int64(id)),
      "duration": .integer(Int64(result.duration.wholeMilliseconds)),
    ]
    switch result.outcome {
    case .answered(let status): object["status"] = .integer(Int64(status))
    case .failed(let failure):
      object["failure"] = .string(failure.kind.rawValue)
      object["text"] = .string(failure.text)
    }
    if let retryAfter = result.retryAfter {
      object["retryAfter"] = .integer(Int64(retryAfter.wholeMilliseconds))
    }
    if let reason = result.reason { object["reason"] = .string("\(reason)") }
    if let difference = result.clockDifference {
      object["clockDifference"] = .integer(difference.components.seconds)
    }
    return object
  }

  /// Reads a line from the process. Returns `nil` if it is invalid: what speaks with strangers is
  /// not trusted.
  static func report(_ line: [UInt8]) -> Report? {
    guard let value = try? JSONValue.parse(line, depthLimit: 4) else { return nil }
    if value["ready"]?.bool == true { return .ready }
    if let text = value["unable"]?.string { return .unable(text) }
    guard let id = value["id"]?.int64.flatMap({ UInt64(exactly: $0) }) else { return nil }
    if let privateKey = value["privateKey"]?.string, let publicKey = value["publicKey"]?.string {
      return VAPIDKey(privateKey: privateKey, publicKey: publicKey).map { .key(id: id, $0) }
    }
    guard
      let duration = Duration(milliseconds: value["duration"]),
      let outcome = outcome(value)
    else { return nil }
    let retryAfter = Duration(milliseconds: value["retryAfter"]).map { min($0, RetryAfter.longest) }
    var result = CourierResult(outcome, retryAfter: retryAfter, duration: duration)
    result.reason = value["reason"]?.string.flatMap { PushReason($0) }
    result.clockDifference = value["clockDifference"]?.int64.flatMap { seconds in
      seconds.magnitude < 1 << 40 ? .seconds(seconds) : nil
    }
    return .result(id: id, result)
  }

  private static func outcome(_ value: JSONValue) -> CourierResult.Outcome? {
    if let status = value["status"]?.int64 {
      return (200...999).contains(status) ? .answered(status: Int(status)) : nil
    }
    guard
      let kind = value["failure"]?.string.flatMap({ CourierResult.Failure.Kind(rawValue: $0) }),
      let text = value["text"]?.string
    else { return nil }
    return .failed(CourierResult.Failure(kind, text))
  }
}
