import MartletJSON
import MartletTime

extension CourierLine {
  static func bytes(_ report: Report) -> [UInt8] {
    switch report {
    case .ready: bytes(["ready": true])
    case .unable(let text): bytes(["unable": .string(text)])
    case .result(let id, let result): bytes(members(id, result))
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
    return object
  }

  /// Reads a line from the process. Returns `nil` if it is invalid: what speaks with strangers is
  /// not trusted.
  static func report(_ line: [UInt8]) -> Report? {
    guard let value = try? JSONValue.parse(line, depthLimit: 4) else { return nil }
    if value["ready"]?.bool == true { return .ready }
    if let text = value["unable"]?.string { return .unable(text) }
    guard let id = value["id"]?.int64.flatMap({ UInt64(exactly: $0) }),
      let duration = Duration(milliseconds: value["duration"]),
      let outcome = outcome(value)
    else { return nil }
    let retryAfter = Duration(milliseconds: value["retryAfter"]).map { min($0, RetryAfter.longest) }
    return .result(id: id, CourierResult(outcome, retryAfter: retryAfter, duration: duration))
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
