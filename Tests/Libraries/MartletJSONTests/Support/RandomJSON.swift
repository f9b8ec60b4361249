@testable import MartletJSON

/// Random values with difficult content: escapes, all planes of Unicode, extreme numbers, duplicate
/// and empty names.
enum RandomJSON {
  static func value(
    depth: Int = 5, _ random: inout some RandomNumberGenerator
  ) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .integer(Int64(truncatingIfNeeded: random.next()))
    case 3: return .integer(.random(in: -10...10, using: &random))
    case 4:
      return JSONNumber(Double(bitPattern: random.next())).map(JSONValue.number) ?? .null
    case 5, 6: return .string(string(&random))
    case 7:
      return .array(
        (0..<Int.random(in: 0..<5, using: &random)).map { _ in value(depth: depth - 1, &random) })
    default:
      return .object(
        JSONObject(
          (0..<Int.random(in: 0..<5, using: &random)).map { _ in
            (string(&random), value(depth: depth - 1, &random))
          }))
    }
  }

  static func string(_ random: inout some RandomNumberGenerator) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<24, using: &random) {
      let limit: UInt32 =
        switch Int.random(in: 0..<6, using: &random) {
        case 0: 0x30
        case 1, 2, 3: 0x80
        case 4: 0x3000
        default: 0x110000
        }
      if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) {
        text.append(scalar)
      }
    }
    return String(text)
  }
}
