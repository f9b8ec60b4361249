import MartletHTTP
import MartletJSON
import MartletTime

/// A request body that is a JSON object. A route asks for each member by name and then calls
/// ``finish()``, which refuses the rest. All faults are reported at once, each with a JSON Pointer.
///
/// ``read(_:_:)`` is the simplest way to read a body.
public struct Body {
  private var members: [JSONObject.Member]
  private var known: [String] = []
  /// The faults found so far.
  public private(set) var errors: [FieldError] = []
  /// The name of the object in messages: "The body", or "The line" of a file.
  private let name: String
  /// The path of the object in the body, with a slash behind it; empty for the body itself.
  private var path = ""
  /// Read-only members: accepted only if they equal the stored value.
  public private(set) var readOnly: [JSONObject.Member] = []

  /// Reads the body of a request. Throws an ``APIProblem`` if it is not a JSON object.
  public init(_ request: Request) throws(APIProblem) {
    try Body.checkCoding(request)
    let value = try Body.parse(request.body.bytes, request.jsonDepth)
    if request.method == .patch, value.array != nil { throw Body.jsonPatch }
    try self.init(value, "The body")
  }

  /// The problem of a `PATCH` with an array, which is most likely a JSON Patch (RFC 6902).
  static let jsonPatch = APIProblem(
    .invalidBody,
    """
    The body is an array, not an object. PATCH takes a JSON Merge Patch (RFC 7396), an object with the members to \
    change, for example {"title":"Milk"}. It does not take a JSON Patch.
    """,
    errors: [FieldError(.pointer(""), "expected an object, got an array")])

  static func checkCoding(_ request: Request) throws(APIProblem) {
    guard let coding = request.fields["Content-Encoding"], coding.lowercased() != "identity" else {
      return
    }
    throw APIProblem(
      .unsupportedMediaType,
      "Bodies with a Content-Encoding are not supported. Send the body uncompressed.")
  }

  /// Reads a body. Throws if `bytes` are not a JSON object.
  package init(
    _ bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int = 64
  ) throws(APIProblem) {
    try self.init(Body.parse(bytes, depthLimit), "The body")
  }

  static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, _ depthLimit: Int
  ) throws(APIProblem) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue.parse(bytes, depthLimit: depthLimit)
    } catch {
      // Form data, as `curl -d title=Milk` and HTML forms send it.
      let isForm = bytes.first.map { $0 != 0x7B && $0 != 0x5B } == true && bytes.contains(0x3D)
      let hint =
        isForm ? ". It looks like form data; send JSON, for example {\"title\":\"Milk\"}" : ""
      throw APIProblem(.malformedJSON, "The body is not JSON: \(error)\(hint)")
    }
  }

  private static let line = "The line"

  /// Reads a line of a file. Throws if it is not a JSON object. The caller adds the line number.
  package init(
    line: UnsafeBufferPointer<UInt8>, depthLimit: Int
  ) throws(APIProblem) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(line, depthLimit: depthLimit)
    } catch {
      throw APIProblem(
        .malformedJSON,
        "The line is not JSON: expected \(error.expected), found \(error.found) at column \(error.column)."
      )
    }
    try self.init(value, Body.line)
  }

  private init(_ value: JSONValue, _ name: String) throws(APIProblem) {
    guard case .object(let object) = value else {
      throw APIProblem(
        .invalidBody, "\(name) is \(value.kind), not an object.",
        errors: [FieldError(.pointer(""), "expected an object, got \(value.kind)")])
    }
    self.init(object, calling: name)
  }

  /// Reads an object that is already parsed. `name` is its name in messages.
  public init(_ object: JSONObject, calling name: String = "The body") {
    members = object.members
    self.name = name
  }

  /// The value of a member; `nil` if it is missing or appears more than once, which is a fault.
  public mutating func value(_ name: String) -> JSONValue? {
    known.append(name)
    let found = members.filter { $0.name == name }
    members.removeAll { $0.name == name }
    guard found.count > 1 else { return found.first?.value }
    // It is unknown which value is meant, so none is used.
    fail(Body.path(name), "appears \(found.count) times")
    return nil
  }

  /// The names of the members that were not asked for yet, in order: for an object whose names are
  /// values.
  public var names: [String] { members.map(\.name) }

  /// Whether the member appears once and is `null`.
  public func isNull(_ name: String) -> Bool {
    let found = members.filter { $0.name == name }
    return found.count == 1 && found[0].value.isNull
  }

  /// A string whose number of Unicode scalars is in `lengths`.
  public mutating func string(_ name: String, _ lengths: ClosedRange<Int>) -> String? {
    guard let value = value(name) else { return nil }
    return string(value, at: name, lengths)
  }

  private mutating func string(
    _ value: JSONValue, at name: String, _ lengths: ClosedRange<Int>
  ) -> String? {
    guard let text = value.string else {
      fail(Body.path(name), "expected a string, got \(value.kind)")
      return nil
    }
    guard lengths.contains(text.unicodeScalars.count) else {
      fail(
        Body.path(name),
        "expected \(lengths.lowerBound) to \(lengths.upperBound) characters, got \(text.unicodeScalars.count)"
      )
      return nil
    }
    guard !text.unicodeScalars.contains("\0") else {
      fail(Body.path(name), "contains a NUL character")
      return nil
    }
    return text
  }

  /// A string or `null`: the outer `nil` means missing, the inner `nil` means `null`.
  public mutating func nullableString(
    _ name: String, _ lengths: ClosedRange<Int>
  ) -> String?? {
    guard let value = value(name) else { return nil }
    if value.isNull { return .some(nil) }
    return string(value, at: name, lengths).map { .some($0) }
  }

  /// A short string in a format, such as a date, that the caller parses. A fault says what was
  /// expected.
  package mutating func formatted(_ name: String, _ expected: String) -> String? {
    guard let value = value(name) else { return nil }
    return formatted(value, at: name, expected)
  }

  /// The same, or `null`: the outer `nil` means missing, the inner `nil` means `null`.
  package mutating func nullableFormatted(_ name: String, _ expected: String) -> String?? {
    guard let value = value(name) else { return nil }
    if value.isNull { return .some(nil) }
    return formatted(value, at: name, expected).map { .some($0) }
  }

  private mutating func formatted(
    _ value: JSONValue, at name: String, _ expected: String
  ) -> String? {
    if let text = value.string, text.utf8.count <= 64 { return text }
    fail(Body.path(name), "expected \(expected), got \(value.string.map(shown) ?? value.kind)")
    return nil
  }

  /// A boolean.
  public mutating func bool(_ name: String) -> Bool? {
    guard let value = value(name) else { return nil }
    guard let bool = value.bool else {
      fail(Body.path(name), "expected true or false, got \(value.kind)")
      return nil
    }
    return bool
  }

  /// The same, or `null`: the outer `nil` means missing, the inner `nil` means `null`.
  public mutating func nullableBool(_ name: String) -> Bool?? {
    if isNull(name) {
      _ = value(name)
      return .some(nil)
    }
    return bool(name).map { .some($0) }
  }

  /// A whole number in a range.
  public mutating func integer(
    _ name: String, in range: ClosedRange<Int> = .min ... .max
  ) -> Int? {
    guard let value = value(name) else { return nil }
    let first = range.lowerBound == .min ? "" : " from \(range.lowerBound)"
    let wanted = first + (range.upperBound == .max ? "" : " to \(range.upperBound)")
    guard let integer = value.int64 else {
      fail(Body.path(name), "expected a whole number\(wanted), got \(value.kind)")
      return nil
    }
    guard range.contains(Int(integer)) else {
      fail(Body.path(name), "expected a whole number\(wanted), got \(integer)")
      return nil
    }
    return Int(integer)
  }

  /// The value for a string that must be one of the given names.
  public mutating func oneOf<T>(_ name: String, _ values: [(String, T)]) -> T? {
    guard let value = value(name) else { return nil }
    return oneOf(value, at: name, values)
  }

  /// The same, or `null`: the outer `nil` means missing, the inner `nil` means `null`.
  public mutating func nullableOneOf<T>(_ name: String, _ values: [(String, T)]) -> T?? {
    guard let value = value(name) else { return nil }
    if value.isNull { return .some(nil) }
    return oneOf(value, at: name, values).map { .some($0) }
  }

  private mutating func oneOf<T>(
    _ value: JSONValue, at name: String, _ values: [(String, T)]
  ) -> T? {
    if let text = value.string, let match = values.first(where: { $0.0 == text }) {
      return match.1
    }
    let expected = values.map { "\"\($0.0)\"" }.joined(separator: ", ")
    let got = value.string.map(shown) ?? value.kind
    fail(Body.path(name), "expected one of \(expected), got \(got)")
    return nil
  }

  /// An instant (RFC 3339). `null` counts as missing.
  public mutating func instant(_ name: String) -> Instant? {
    let expected = "an instant (2026-11-20T15:36:00Z)"
    guard let text = nullableFormatted(name, expected) ?? nil else { return nil }
    do throws(RFC3339.Problem) {
      return try RFC3339.parse(text)
    } catch {
      fail(Body.path(name), "expected \(expected): \(error)")
      return nil
    }
  }

  /// An array of strings.
  ///
  /// `parse` accepts an element, skips it by returning `nil`, or gives the reason why it is
  /// invalid. Elements are no longer read once `isEnough` returns true.
  public mutating func strings(
    _ name: String, until isEnough: ([String]) -> Bool = { _ in false },
    _ parse: (String) -> Result<String?, FieldReason>
  ) -> [String]? {
    elements(name, "a string", \.string, isEnough, parse)
  }

  /// An array of whole numbers.
  public mutating func integers(_ name: String) -> [Int]? {
    elements(name, "a whole number", { $0.int64.map(Int.init) }) { .success($0) }
  }

  /// Stops when there are enough elements, or when no further fault would be listed.
  private mutating func elements<T, U>(
    _ name: String, _ kind: String, _ read: (JSONValue) -> T?,
    _ isEnough: ([U]) -> Bool = { _ in false }, _ parse: (T) -> Result<U?, FieldReason>
  ) -> [U]? {
    guard let value = value(name) else { return nil }
    guard let array = value.array else {
      fail(Body.path(name), "expected an array, got \(value.kind)")
      return nil
    }
    var results: [U] = []
    for (index, element) in array.enumerated() {
      if isEnough(results) || errors.count >= FieldError.most { break }
      guard let read = read(element) else {
        fail("\(Body.path(name))/\(index)", "expected \(kind), got \(element.kind)")
        continue
      }
      switch parse(read) {
      case .success(let value): if let value { results.append(value) }
      case .failure(let reason): fail("\(Body.path(name))/\(index)", reason.detail)
      }
    }
    return results
  }

  /// An object or `null`, whose members `read` asks for: the outer `nil` means missing or invalid,
  /// the inner `nil` means `null`.
  public mutating func nullableObject<T>(_ name: String, _ read: (inout Body) -> T) -> T?? {
    guard let value = value(name) else { return nil }
    if value.isNull { return .some(nil) }
    guard case .object(let object) = value else {
      fail(Body.path(name), "expected an object or null, got \(value.kind)")
      return nil
    }
    var inner = Body(object, calling: self.name)
    inner.path = path + Body.path(name) + "/"
    let result = read(&inner)
    inner.failUnknown()
    errors += inner.errors.prefix(max(0, FieldError.most - errors.count))
    return inner.errors.isEmpty ? result : nil
  }

  /// An array of objects, whose members `read` asks for. An element for which it returns `nil` must
  /// have a fault.
  public mutating func objects<T>(
    _ name: String, most: Int, _ read: (inout Body) -> T?
  ) -> [T]? {
    guard let value = value(name) else { return nil }
    guard let array = value.array else {
      fail(Body.path(name), "expected an array, got \(value.kind)")
      return nil
    }
    guard array.count <= most else {
      fail(Body.path(name), "expected at most \(most) elements, got \(array.count)")
      return nil
    }
    var results: [T] = []
    for (index, element) in array.enumerated() {
      let place = "\(Body.path(name))/\(index)"
      guard case .object(let object) = element else {
        fail(place, "expected an object, got \(element.kind)")
        continue
      }
      var inner = Body(object, calling: self.name)
      inner.path = "\(path)\(place)/"
      let result = read(&inner)
      inner.failUnknown()
      errors += inner.errors.prefix(max(0, FieldError.most - errors.count))
      if let result, inner.errors.isEmpty { results.append(result) }
    }
    return results
  }

  /// Marks members as read-only: a client may send them back unchanged. They are collected in
  /// ``readOnly``.
  public mutating func readOnly(_ names: String...) {
    for name in names {
      if let value = value(name) { readOnly.append(.init(name: name, value: value)) }
    }
  }

  /// Records a fault if a member is missing. `isThere` says whether a value was read. An invalid
  /// value is already a fault and adds no second one.
  public mutating func require(_ name: String, _ isThere: Bool) {
    guard !isThere else { return }
    let member = Body.path(name)
    guard !errors.contains(where: { $0.place == .pointer("/\(path)\(member)") }) else { return }
    fail(member, "is required")
  }

  /// Records a fault of the member at `place`, which must be escaped if it has several steps.
  /// Faults beyond the first hundred are ignored.
  public mutating func fail(_ place: String, _ detail: String) {
    guard errors.count < FieldError.most else { return }
    errors.append(FieldError(.pointer("/\(path)\(place)"), detail))
  }

  /// The path of a member, with `/` and `~` in its name escaped (RFC 6901 section 3).
  static func path(_ name: String) -> String { String(JSONPointer([name]).description.dropFirst()) }

  /// Throws an ``APIProblem`` that names every invalid member and every one that was not asked for.
  public mutating func finish() throws(APIProblem) {
    failUnknown()
    guard errors.isEmpty else {
      throw APIProblem(.invalidBody, "\(name) is invalid.", errors: errors)
    }
  }

  /// Records a fault for every member that was not asked for.
  private mutating func failUnknown() {
    var seen: Set<[UInt8]> = []
    for member in members where seen.insert(Array(member.name.utf8)).inserted {
      guard errors.count < FieldError.most else { break }
      let names = known.isEmpty ? "none" : known.sorted().joined(separator: ", ")
      let whole = name == Body.line ? "this line" : "this route"
      let all = "\(path.isEmpty ? whole : "it") accepts: \(names)"
      fail(
        Body.path(member.name),
        "unknown" + Suggestion.text(for: member.name, among: known, else: all))
    }
    members = []
  }
}

/// Why a value is invalid. The reason becomes the detail of a fault.
public struct FieldReason: Error {
  /// The fault of the value, for example "expected an even number".
  public let detail: String
  /// Creates a reason.
  public init(_ detail: String) { self.detail = detail }
}
