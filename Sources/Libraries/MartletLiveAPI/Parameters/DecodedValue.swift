import MartletHTTP
import MartletJSON

/// The input of a ``RequestDecoder``: JSON or a query.
enum DecodedValue {
  case json(JSONValue)
  /// All parameters of a query.
  case query([QueryItem])
  /// The values of one parameter, in order.
  case parameter([String])
  /// A value whose fault is already recorded. Everything read from it is a placeholder, so that
  /// decoding can go on and find further faults.
  case faulty

  var isFaulty: Bool {
    if case .faulty = self { true } else { false }
  }

  var isQuery: Bool {
    if case .query = self { true } else { false }
  }

  var isNull: Bool {
    if case .json(.null) = self { true } else { false }
  }

  /// The received value or its kind, for a message.
  var shown: String {
    switch self {
    case .json(let value): value.kind
    case .parameter(let texts):
      texts.count == 1 ? MartletLiveAPI.shown(texts[0]) : "\(texts.count) values"
    case .query, .faulty: "a query"
    }
  }

  /// The same, with the contents of a string.
  var text: String { string.map { MartletLiveAPI.shown($0) } ?? shown }

  var string: String? {
    switch self {
    case .json(let value): value.string
    case .parameter(let texts): texts.count == 1 ? texts[0] : nil
    case .query, .faulty: nil
    }
  }

  var bool: Bool? {
    switch self {
    case .json(let value): value.bool
    case .parameter: string == "true" ? true : string == "false" ? false : nil
    case .query, .faulty: nil
    }
  }

  /// A whole number. In a query only its canonical form is accepted, because other forms would be
  /// different URLs for the same result.
  func integer<T: FixedWidthInteger>(_ type: T.Type) -> T? {
    switch self {
    case .json(.number(let number)) where T(exactly: UInt64.max) != nil:
      number.int64.flatMap { T(exactly: $0) } ?? T(number.text)
    case .json(let value): value.int64.flatMap { T(exactly: $0) }
    case .parameter:
      string.flatMap { text in T(text).flatMap { "\($0)" == text ? $0 : nil } }
    case .query, .faulty: nil
    }
  }

  var double: Double? {
    switch self {
    case .json(let value): value.double.flatMap { $0.isFinite ? $0 : nil }
    case .parameter: string.flatMap { JSONNumber($0)?.double }.flatMap { $0.isFinite ? $0 : nil }
    case .query, .faulty: nil
    }
  }

  /// The elements of an array, or the values of a parameter.
  var elements: [DecodedValue]? {
    switch self {
    case .json(let value): value.array.map { $0.map { .json($0) } }
    case .parameter(let texts): texts.map { .parameter([$0]) }
    case .faulty: []
    case .query: nil
    }
  }

  /// The members by name. A query parameter has all its values. `count` is greater than 1 for a
  /// JSON member that appears several times, which is a fault.
  var members: [(name: String, value: DecodedValue, count: Int)]? {
    var places: [[UInt8]: Int] = [:]
    switch self {
    case .json(.object(let object)):
      var members: [(name: String, value: DecodedValue, count: Int)] = []
      for member in object.members {
        let place = places[Array(member.name.utf8)] ?? members.count
        places[Array(member.name.utf8)] = place
        if place == members.count {
          members.append((member.name, .json(member.value), 1))
        } else {
          members[place].count += 1
        }
      }
      return members
    case .query(let items):
      var found: [(name: String, texts: [String])] = []
      for item in items {
        let place = places[Array(item.name.utf8)] ?? found.count
        places[Array(item.name.utf8)] = place
        if place == found.count { found.append((item.name, [])) }
        found[place].texts.append(item.value)
      }
      return found.map { ($0.name, .parameter($0.texts), 1) }
    case .faulty: return []
    case .json, .parameter: return nil
    }
  }
}
