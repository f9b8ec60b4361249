import FoundationEssentials
import MartletHTTP
import MartletJSON
import MartletTime

/// A decoder for bodies and queries that collects all faults instead of stopping at the first one.
///
/// A missing or invalid value is recorded and replaced by a placeholder until the request is
/// refused.
final class RequestDecoder: Decoder {
  /// The faults of one request, shared by all its decoders.
  final class Faults {
    private(set) var errors: [FieldError] = []
    /// Whether all faults are unknown members or parameters.
    private(set) var areUnknown = true
    private let isBody: Bool

    init(isBody: Bool) { self.isBody = isBody }

    var areEnough: Bool { errors.count >= FieldError.most }

    /// Records a fault. Only the first one of each place is kept, because later ones may be caused
    /// by its placeholder.
    func add(_ detail: String, at path: [any CodingKey], isUnknown: Bool = false) {
      let names = path.map { $0.intValue.map(String.init) ?? $0.stringValue }
      let place: FieldError.Place =
        isBody
        ? .pointer(JSONPointer(names).description) : .parameter(path.first?.stringValue ?? "")
      guard !areEnough, !errors.contains(where: { $0.place == place }) else { return }
      errors.append(FieldError(place, detail))
      areUnknown = areUnknown && isUnknown
    }
  }

  /// Stops decoding: a fault was recorded, but there is no placeholder of the type.
  struct Stop: Error {}

  let faults: Faults
  let value: DecodedValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  /// The members that were asked for. Others are unknown.
  var known: Set<String> = []
  /// Whether the value was read through a keyed container, and whether all its keys were read.
  var isKeyed = false
  var takesAll = false
  /// The decoders of nested objects and arrays that the type decodes itself.
  private var nested: [RequestDecoder] = []

  init(_ value: DecodedValue, at path: [any CodingKey], _ faults: Faults) {
    self.value = value
    codingPath = path
    self.faults = faults
  }

  /// Decodes the value of a request. Throws the problem that `refuse` makes of its faults.
  static func decode<T: Decodable>(
    _ type: T.Type, _ value: DecodedValue, isBody: Bool, refuse: (Faults) -> APIProblem
  ) throws -> T {
    let faults = Faults(isBody: isBody)
    do {
      let result = try RequestDecoder.read(type, value, at: [], faults)
      if faults.errors.isEmpty { return result }
    } catch is Stop {
    }
    throw refuse(faults)
  }

  /// Decodes a value of any type at `path`.
  static func read<T: Decodable>(
    _ type: T.Type, _ value: DecodedValue, at path: [any CodingKey], _ faults: Faults
  ) throws -> T {
    if let scalar = type as? any DecodedScalar.Type {
      return scalar.read(value, at: path, faults) as! T
    }
    let decoder = RequestDecoder(value, at: path, faults)
    let result: T
    do {
      result = try T(from: decoder)
    } catch let error {
      return try placeholder(for: type, after: error, value, at: path, faults)
    }
    decoder.noteUnknown()
    return result
  }

  /// Records the fault of a value that its type rejected, and returns a placeholder. Errors that do
  /// not describe the value are rethrown.
  private static func placeholder<T>(
    for type: T.Type, after error: any Error, _ value: DecodedValue, at path: [any CodingKey],
    _ faults: Faults
  ) throws -> T {
    let choices = (type as? any CaseIterable.Type).map { names(of: $0) } ?? nil
    switch error {
    case is Stop: break
    case let reason as FieldReason: faults.add(reason.detail, at: path)
    case let error as DecodingError where !value.isFaulty:
      let context = context(of: error)
      let isRaw = T.self is any RawRepresentable.Type
      if let choices {
        faults.add("expected one of \(choices.texts), got \(value.text)", at: path)
      } else {
        faults.add(
          isRaw
            ? "is not one of the known values, got \(value.text)" : context.debugDescription,
          at: context.codingPath.count < path.count ? path : context.codingPath)
      }
    case is DecodingError: break
    default: throw error
    }
    if let first = choices?.first as? T { return first }
    throw Stop()
  }

  private static func context(of error: DecodingError) -> DecodingError.Context {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: .init(codingPath: [], debugDescription: "cannot be decoded: \(error)")
    }
  }

  /// The raw values of all cases of a type, and its first case.
  private static func names<E: CaseIterable>(of type: E.Type) -> (texts: String, first: E)? {
    let texts = type.allCases.compactMap { value -> String? in
      switch (value as? any RawRepresentable)?.rawValue {
      case let text as String: "\"\(text)\""
      case let number as any FixedWidthInteger: "\(number)"
      default: nil
      }
    }
    guard let first = type.allCases.first, texts.count == type.allCases.count else { return nil }
    return (texts.joined(separator: ", "), first)
  }

  /// Records a fault for each member that was not asked for.
  private func noteUnknown() {
    for decoder in nested { decoder.noteUnknown() }
    guard isKeyed, !takesAll, let members = value.members else { return }
    let all = known.isEmpty ? "none" : known.sorted().joined(separator: ", ")
    let names = known.sorted()
    let suggest = value.isQuery ? Suggestion.parameter : Suggestion.text
    for (name, _, _) in members where !known.contains(name) && !faults.areEnough {
      let hint = suggest(name, names, "this route accepts: \(all)")
      faults.add("unknown" + hint, at: codingPath + [DecodedKey(name)], isUnknown: true)
    }
  }

  /// The decoder of a nested value. Its unknown members are recorded together with those of this
  /// decoder.
  func child(_ value: DecodedValue, at path: [any CodingKey]) -> RequestDecoder {
    let child = RequestDecoder(value, at: path, faults)
    nested.append(child)
    return child
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    isKeyed = true
    return KeyedDecodingContainer(DecodedMembers<Key>(self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { DecodedElements(self) }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { DecodedSingle(self) }
}

/// A key of a coding path: a member's name or an element's index.
struct DecodedKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  init(_ index: Int) {
    stringValue = String(index)
    intValue = index
  }

  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(intValue) }
}

/// A type that is read without a container and has a placeholder.
protocol DecodedScalar {
  static var expected: String { get }
  static var placeholder: Self { get }
  /// Reads a value; `nil` if it is not of this type.
  static func read(_ value: DecodedValue) -> Self?
  /// The fault of a value that cannot be read, if there is more to say than what was expected.
  static func fault(_ value: DecodedValue) -> String?
}

extension DecodedScalar {
  static func fault(_ value: DecodedValue) -> String? { nil }

  static func read(
    _ value: DecodedValue, at path: [any CodingKey], _ faults: RequestDecoder.Faults
  ) -> Self {
    if let read = read(value) { return read }
    if !value.isFaulty {
      let hint =
        if case .parameter(let texts) = value, texts.count == 1 {
          QueryParameters.plusHint(texts[0]) { read(.parameter([$0])) != nil }
        } else {
          ""
        }
      faults.add((fault(value) ?? "expected \(expected), got \(value.shown)") + hint, at: path)
    }
    return placeholder
  }
}

extension String: DecodedScalar {
  static var expected: String { "a string" }
  static var placeholder: String { "" }
  static func read(_ value: DecodedValue) -> String? {
    value.string.flatMap { $0.utf8.contains(0) ? nil : $0 }
  }
  static func fault(_ value: DecodedValue) -> String? {
    value.string.map { _ in "contains a NUL character" }
  }
}

extension Bool: DecodedScalar {
  static var expected: String { "true or false" }
  static var placeholder: Bool { false }
  static func read(_ value: DecodedValue) -> Bool? { value.bool }
}

extension DecodedScalar where Self: FixedWidthInteger {
  static var expected: String {
    switch (Self.isSigned, Self.bitWidth < 64) {
    case (true, false): "a whole number"
    case (false, false): "a whole number from 0"
    default: "a whole number from \(Self.min) to \(Self.max)"
    }
  }
  static var placeholder: Self { 0 }
  static func read(_ value: DecodedValue) -> Self? { value.integer(Self.self) }
  static func fault(_ value: DecodedValue) -> String? {
    if case .json(let json) = value, let number = json.int64 {
      return "expected \(expected), got \(number)"
    }
    return nil
  }
}

extension Int: DecodedScalar {}
extension Int8: DecodedScalar {}
extension Int16: DecodedScalar {}
extension Int32: DecodedScalar {}
extension Int64: DecodedScalar {}
extension UInt: DecodedScalar {}
extension UInt8: DecodedScalar {}
extension UInt16: DecodedScalar {}
extension UInt32: DecodedScalar {}
extension UInt64: DecodedScalar {}

extension Double: DecodedScalar {
  static var expected: String { "a number" }
  static var placeholder: Double { 0 }
  static func read(_ value: DecodedValue) -> Double? { value.double }
}

extension Float: DecodedScalar {
  static var expected: String { "a number" }
  static var placeholder: Float { 0 }
  static func read(_ value: DecodedValue) -> Float? {
    value.double.map { Float($0) }.flatMap { $0.isFinite ? $0 : nil }
  }
}

extension Instant: DecodedScalar {
  static var expected: String { "an instant (2026-11-20T15:36:00Z)" }
  static var placeholder: Instant { .epoch }
  static func read(_ value: DecodedValue) -> Instant? {
    value.string.flatMap { try? RFC3339.parse($0) }
  }
  static func fault(_ value: DecodedValue) -> String? {
    guard let text = value.string else { return nil }
    do throws(RFC3339.Problem) {
      _ = try RFC3339.parse(text)
      return nil
    } catch {
      return "expected \(expected): \(error)"
    }
  }
}

// A `Date` is read in RFC 3339 format. Foundation's default is a number of seconds since 2001.
extension Date: DecodedScalar {
  static var expected: String { Instant.expected }
  static var placeholder: Date { Date(timeIntervalSince1970: 0) }
  static func read(_ value: DecodedValue) -> Date? {
    Instant.read(value).map(Date.init)
  }
  static func fault(_ value: DecodedValue) -> String? { Instant.fault(value) }
}

extension Date {
  init(_ instant: Instant) {
    self.init(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
  }
}
