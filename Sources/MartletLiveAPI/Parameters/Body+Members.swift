import FoundationEssentials
import MartletHTTP
import MartletJSON
import MartletTime

/// A body whose faults are all found before what is made of it is used.
extension Body {
  /// What a member of a body may be.
  public struct Member<Value> {
    /// Stands for a value that is missing or wrong until the body is refused for it.
    fileprivate let placeholder: Value
    fileprivate let take: (inout Body, String) -> Value?

    fileprivate init(placeholder: Value, take: @escaping (inout Body, String) -> Value?) {
      self.placeholder = placeholder
      self.take = take
    }

    /// A kind of one's own. `read` takes a value or says why not; `placeholder` stands for one that is missing or wrong until the
    /// body is refused for it.
    ///
    /// ```swift
    /// extension Body.Member where Value == Isbn {
    ///   static var isbn: Self {
    ///     Self(placeholder: .none) { value in
    ///       value.string.flatMap(Isbn.init).map { .success($0) } ?? .failure(FieldReason("is no ISBN"))
    ///     }
    ///   }
    /// }
    /// ```
    public init(
      placeholder: Value, _ read: @escaping (JSONValue) -> Result<Value, FieldReason>
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

  /// Reads the body of a request: a JSON object whose members `build` asks for.
  ///
  /// ```swift
  /// let draft = try Body.read(request) { body in
  ///   Book.Draft(
  ///     title: body.required("title", .text(1...200)), pages: body.optional("pages", .integer(1...10_000)))
  /// }
  /// ```
  ///
  /// Throws an ``APIProblem`` that names every member that is missing, wrong or unknown. Where one is, what `build` gave is
  /// dropped: it holds placeholders, so `build` only makes values.
  public static func read<T>(_ request: Request, _ build: (inout Body) throws -> T) throws -> T {
    var body = try Body(request)
    let value = try build(&body)
    try body.finish()
    return value
  }

  /// Reads the body of a request as a value of a `Decodable` type.
  ///
  /// ```swift
  /// struct NewBook: Decodable {
  ///   var title: String
  ///   var pages: Int?
  ///   var published: Date?
  /// }
  /// let book = try Body.decode(NewBook.self, from: request)
  /// ```
  ///
  /// Throws an ``APIProblem`` that names every member that is missing, wrong or unknown. A property that is optional may be left
  /// out or `null`. A `Date` or `Instant` is a text of RFC 3339. A type of one's own that does not take a value throws
  /// ``FieldReason`` or a `DecodingError` from its `init(from:)`; where such a
  /// member has to be there, those behind it are not looked at.
  public static func decode<T: Decodable>(
    _ type: T.Type = T.self, from request: Request
  ) throws -> T {
    try checkCoding(request)
    let value = try parse(request.body.bytes, request.jsonDepth)
    return try RequestDecoder.decode(type, .json(value), isBody: true) { faults in
      APIProblem(
        .invalidBody, "The body has members that cannot be taken.", errors: faults.errors)
    }
  }

  /// A member that has to be there, inside of ``read(_:_:)``.
  public mutating func required<Value>(_ name: String, _ member: Member<Value>) -> Value {
    let value = member.take(&self, name)
    require(name, value != nil)
    return value ?? member.placeholder
  }

  /// A member that may be left out.
  public mutating func optional<Value>(_ name: String, _ member: Member<Value>) -> Value? {
    member.take(&self, name)
  }

  /// A member that may be left out (`nil`) or be `null` (`.some(nil)`), which a PATCH tells apart.
  public mutating func nullable<Value>(_ name: String, _ member: Member<Value>) -> Value?? {
    if isNull(name) {
      _ = value(name)
      return .some(nil)
    }
    return member.take(&self, name).map { .some($0) }
  }
}

extension Body.Member where Value == String {
  /// A string of so many characters (Unicode scalars).
  public static func text(_ lengths: ClosedRange<Int>) -> Self {
    Self(placeholder: "") { $0.string($1, lengths) }
  }
}

extension Body.Member where Value == Int {
  public static func integer(_ range: ClosedRange<Int> = .min ... .max) -> Self {
    Self(placeholder: 0) { $0.integer($1, in: range) }
  }
  public static func integer(_ range: PartialRangeFrom<Int>) -> Self {
    integer(range.lowerBound ... .max)
  }
}

extension Body.Member where Value == Double {
  /// Any number, or one of a range.
  public static func number(
    _ range: ClosedRange<Double> = -.greatestFiniteMagnitude ... .greatestFiniteMagnitude
  ) -> Self {
    let isAny = range.upperBound == .greatestFiniteMagnitude
    let wanted = isAny ? "" : " from \(range.lowerBound) to \(range.upperBound)"
    return Self(placeholder: range.lowerBound) { value in
      guard let number = value.double, range.contains(number) else {
        return .failure(
          FieldReason(
            "expected a number\(wanted), got \(value.double == nil ? value.kind : "\(value)")"))
      }
      return .success(number)
    }
  }
}

extension Body.Member where Value == Date {
  /// RFC 3339: `2026-11-20T15:36:00Z`.
  public static var date: Self {
    Self(placeholder: .placeholder) { (body, name) -> Date? in body.instant(name).map(Date.init) }
  }
}

extension Body.Member where Value == Bool {
  public static var bool: Self { Self(placeholder: false) { $0.bool($1) } }
}

extension Body.Member where Value == Instant {
  /// RFC 3339: `2026-11-20T15:36:00Z`.
  public static var instant: Self { Self(placeholder: .epoch) { $0.instant($1) } }
}

extension Body.Member {
  /// A string that is one of these names, given as its value. There is at least one.
  public static func oneOf(_ first: (String, Value), _ others: (String, Value)...) -> Self {
    Self(placeholder: first.1) { $0.oneOf($1, [first] + others) }
  }
}
