import FoundationEssentials
import MartletHTTP
import MartletJSON
import MartletTime

/// Reading a body as a whole: all faults are found before the value is used.
extension Body {
  /// The type and constraints of a body's member.
  public struct Member<Value: Sendable>: Sendable {
    /// Used in place of a missing or invalid value until the body is refused.
    fileprivate let placeholder: Value
    fileprivate let take: @Sendable (inout Body, String) -> Value?

    fileprivate init(placeholder: Value, take: @escaping @Sendable (inout Body, String) -> Value?) {
      self.placeholder = placeholder
      self.take = take
    }

    /// Creates a custom kind of member.
    ///
    /// `read` converts the value or gives the reason why it is invalid. `placeholder` is used in
    /// place of a missing or invalid value until the body is refused.
    ///
    /// ```swift
    /// extension Body.Member where Value == Isbn {
    ///   static var isbn: Self {
    ///     Self(placeholder: .none) { value in
    ///       value.string.flatMap(Isbn.init).map { .success($0) }
    ///         ?? .failure(FieldReason("is no ISBN"))
    ///     }
    ///   }
    /// }
    /// ```
    public init(
      placeholder: Value, _ read: @escaping @Sendable (JSONValue) -> Result<Value, FieldReason>
    ) {
      self.init(placeholder: placeholder) { (body, name) -> Value? in
        guard let value = body.value(name) else { return nil }
        switch read(value) {
        case .success(let value): return value
        case .failure(let reason):
          body.fail(Body.path(name), reason.detail)
          return nil
        }
      }
    }
  }

  /// Reads the body of a request: a JSON object with the members that `build` asks for.
  ///
  /// ```swift
  /// let draft = try Body.read(request) { body in
  ///   Book.Draft(
  ///     title: body.required("title", .text(1...200)),
  ///     pages: body.optional("pages", .integer(1...10_000)))
  /// }
  /// ```
  ///
  /// Throws an ``APIProblem`` that names every missing, invalid or unknown member. In that case the
  /// result of `build` is discarded because it contains placeholders, so `build` must not have side
  /// effects.
  public static func read<T>(_ request: Request, _ build: (inout Body) throws -> T) throws -> T {
    var body = try Body(request)
    let value = try build(&body)
    try body.finish()
    return value
  }

  /// A required member. Call it inside ``read(_:_:)``.
  public mutating func required<Value>(_ name: String, _ member: Member<Value>) -> Value {
    let value = member.take(&self, name)
    require(name, value != nil)
    return value ?? member.placeholder
  }

  /// An optional member; `nil` if it is missing.
  public mutating func optional<Value>(_ name: String, _ member: Member<Value>) -> Value? {
    member.take(&self, name)
  }

  /// An array of 1 to `most` IDs, or `null`: the outer `nil` means missing or invalid.
  ///
  /// - Parameter all: What `null` stands for, in the message of a fault: `all lists`.
  package mutating func nullableIDs(_ name: String, most: Int, all: String) -> [Int]?? {
    if isNull(name) {
      _ = value(name)
      return .some(nil)
    }
    let before = errors.count
    guard let ids = integers(name), errors.count == before else { return nil }
    guard 1...most ~= ids.count else {
      fail(name, "expected null for \(all), or 1 to \(most) IDs")
      return nil
    }
    return .some(ids)
  }

  /// A member that may be missing (`nil`) or `null` (`.some(nil)`), which a PATCH distinguishes.
  public mutating func nullable<Value>(_ name: String, _ member: Member<Value>) -> Value?? {
    if isNull(name) {
      _ = value(name)
      return .some(nil)
    }
    return member.take(&self, name).map { .some($0) }
  }
}

extension Body.Member where Value == String {
  /// A string whose number of Unicode scalars is in `lengths`.
  public static func text(_ lengths: ClosedRange<Int>) -> Self {
    Self(placeholder: "") { $0.string($1, lengths) }
  }
}

extension Body.Member where Value == Int {
  /// A whole number in a range.
  public static func integer(_ range: ClosedRange<Int> = .min ... .max) -> Self {
    Self(placeholder: 0) { $0.integer($1, in: range) }
  }
  /// A whole number from a lower bound.
  public static func integer(_ range: PartialRangeFrom<Int>) -> Self {
    integer(range.lowerBound ... .max)
  }
}

extension Body.Member where Value == Double {
  /// A number in a range; any finite number by default.
  public static func number(
    _ range: ClosedRange<Double> = -.greatestFiniteMagnitude ... .greatestFiniteMagnitude
  ) -> Self {
    let limit = Double.greatestFiniteMagnitude
    let wanted =
      range == -limit...limit ? "" : " from \(range.lowerBound) to \(range.upperBound)"
    return Self(placeholder: range.lowerBound) { value in
      guard let number = value.double, range.contains(number) else {
        return .failure(
          FieldReason(
            "expected a number\(wanted), got \(value.double == nil ? value.kind : String("\(value)".prefix(40)))"
          ))
      }
      return .success(number)
    }
  }
}

extension Body.Member where Value == Date {
  /// A date and time in RFC 3339 format: `2026-11-20T15:36:00Z`. A day without a time is
  /// ``day``.
  public static var date: Self {
    Self(placeholder: Date(timeIntervalSince1970: 0)) { (body, name) -> Date? in
      body.instant(name).map { Date(timeIntervalSince1970: Double($0.milliseconds) / 1000) }
    }
  }
}

extension Body.Member where Value == Bool {
  /// A boolean.
  public static var bool: Self { Self(placeholder: false) { $0.bool($1) } }
}

extension Body.Member where Value == Instant {
  /// An instant in RFC 3339 format: `2026-11-20T15:36:00Z`.
  public static var instant: Self { Self(placeholder: .epoch) { $0.instant($1) } }
}

extension Body.Member where Value == CivilDate {
  /// A day without a time: `2026-11-20`.
  public static var day: Self {
    Self(placeholder: CivilDate(utc: .epoch)) { (body, name) -> CivilDate? in
      let expected = "a day (2026-11-20)"
      guard let text = body.formatted(name, expected) else { return nil }
      do throws(RFC3339.Problem) {
        return try RFC3339.date(text)
      } catch {
        body.fail(Body.path(name), "expected \(expected): \(error)")
        return nil
      }
    }
  }
}

extension Body.Member {
  /// A string that is one of the given names, converted to its value, as
  /// ``QueryParameters/oneOf(_:_:)`` reads a parameter.
  ///
  /// ```swift
  /// body.required("scope", .oneOf(["read": Rights.Scope.read, "write": .write]))
  /// ```
  public static func oneOf(_ values: KeyValuePairs<String, Value>) -> Self {
    guard let first = values.first else { preconditionFailure("oneOf needs at least one name") }
    let pairs = values.map { ($0.key, $0.value) }
    return Self(placeholder: first.value) { $0.oneOf($1, pairs) }
  }

  /// A string that is one of the given names, converted to its value.
  public static func oneOf(_ first: (String, Value), _ others: (String, Value)...) -> Self {
    Self(placeholder: first.1) { $0.oneOf($1, [first] + others) }
  }
}

/// Whether a byte may be part of a name that clients choose: a letter, a digit, `-` or `_`.
func isNameCharacter(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
    true
  default: false
  }
}
