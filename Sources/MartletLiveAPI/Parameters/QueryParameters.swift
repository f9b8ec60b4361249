import MartletHTTP
import MartletStore

/// A request's query, taken apart by the route: each parameter is asked for by name, and in the end
/// nothing may be left. All faults are reported at once.
public struct QueryParameters {
  private let request: Request
  private var items: [QueryItem]
  private var known: [String] = []
  private var errors: [FieldError] = []

  public init(_ request: Request) {
    self.request = request
    items = request.queryItems
  }

  /// Throws where a route has not looked at a query, and there is one: it knows no parameters.
  static func checkUnread(_ request: Request, isRead: Bool) throws(APIProblem) {
    guard !request.isQueryRead, request.query != nil else { return }
    try (isRead ? ofRead(request) : QueryParameters(request)).finish()
  }

  /// All values of a repeatable parameter, in order.
  public mutating func strings(_ name: String) -> [String] {
    // Most requests have none, and then nobody asks which there could be.
    guard !items.isEmpty else { return [] }
    known.append(name)
    defer { items.removeAll { $0.name == name } }
    return items.filter { $0.name == name }.map(\.value)
  }

  public mutating func string(_ name: String) -> String? {
    let values = strings(name)
    guard values.count > 1 else { return values.first }
    // Which of them is meant is not known, so none is looked at.
    fail(name, "may be given once, came \(values.count) times")
    return nil
  }

  /// A parameter that has to be there. `isThere`: whether a value was read; a fault that was found in it is enough.
  public mutating func require(_ name: String, _ isThere: Bool, _ what: String) {
    if !isThere, !errors.contains(where: { $0.place == .parameter(name) }) {
      fail(name, "is required: \(what)")
    }
  }

  /// A parameter that other routes know and this one does not: `why` says what to do instead.
  public mutating func refuse(_ name: String, _ why: String) {
    guard items.contains(where: { $0.name == name }) else { return }
    items.removeAll { $0.name == name }
    fail(name, why)
  }

  public mutating func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
    guard let text = string(name) else { return nil }
    guard let value = Int(text), range.contains(value), String(value) == text else {
      fail(
        name,
        "expected a whole number from \(range.lowerBound) to \(range.upperBound), got \(shown(text))"
      )
      return nil
    }
    return value
  }

  public mutating func bool(_ name: String) -> Bool? {
    oneOf(name, ["true": true, "false": false])
  }

  /// One of the names; the message of a fault tells all of them.
  public mutating func oneOf<T>(_ name: String, _ values: KeyValuePairs<String, T>) -> T? {
    guard let text = string(name) else { return nil }
    if let match = values.first(where: { $0.key == text }) { return match.value }
    fail(name, "expected \(listed(values.map(\.key))), got \(shown(text))")
    return nil
  }

  /// A value of the caller's own grammar; `nil` from `parse` is a fault, `expected` says what it is not.
  public mutating func value<T>(
    _ name: String, expected: String, _ parse: (String) -> T?
  ) -> T? {
    guard let text = string(name) else { return nil }
    if let value = parse(text) { return value }
    fail(name, "expected \(expected), got \(shown(text))")
    return nil
  }

  public mutating func cursor(_ name: String = "cursor") throws(APIProblem) -> PageCursor? {
    guard let text = string(name) else { return nil }
    guard let cursor = PageCursor(text) else {
      throw APIProblem(
        .invalidCursor, "This is no cursor of ours.",
        errors: [FieldError(.parameter(name), "expected a nextCursor of an earlier answer")])
    }
    return cursor
  }

  public mutating func fail(_ name: String, _ detail: String) {
    errors.append(FieldError(.parameter(name), detail))
  }

  /// The parameters that have not been asked for, as a value of a `Decodable` type: a property for each, arrays for those that may
  /// come several times.
  ///
  /// ```swift
  /// struct Filter: Decodable {
  ///   var author: String?
  ///   var genre: [Genre]?
  /// }
  /// let filter = try QueryParameters.ofRead(request).decode(Filter.self)
  /// ```
  ///
  /// Throws an ``APIProblem`` that names every parameter that is missing, wrong or unknown.
  public func decode<T: Decodable>(_ type: T.Type = T.self) throws -> T {
    request.isQueryRead = true
    return try RequestDecoder.decode(type, .query(items), isBody: false) { faults in
      errors.isEmpty && faults.areUnknown
        ? APIProblem(
          .unknownParameter, "The query has a parameter that this route does not know.",
          errors: faults.errors)
        : APIProblem(
          .invalidParameter, "A query parameter has a value that it cannot have.",
          errors: errors + faults.errors)
    }
  }

  /// Throws when a parameter was wrong, or one was given that was not asked for; the problem names all of them. Without it
  /// the route knows no parameters, and refuses a query.
  public func finish() throws(APIProblem) {
    request.isQueryRead = true
    if errors.isEmpty, items.isEmpty { return }
    let allowed = known.isEmpty ? "none" : known.sorted().joined(separator: ", ")
    let unknown = unknownNames.map {
      FieldError(
        .parameter($0),
        "unknown" + Suggestion.text(for: $0, among: known, else: "this route knows: \(allowed)"))
    }
    guard errors.isEmpty else {
      throw APIProblem(
        .invalidParameter, "A query parameter has a value that it cannot have.",
        errors: errors + unknown)
    }
    guard unknown.isEmpty else {
      throw APIProblem(
        .unknownParameter, "The query has a parameter that this route does not know.",
        errors: unknown)
    }
  }

  /// Each once, by its bytes.
  private var unknownNames: ArraySlice<String> {
    var seen: Set<[UInt8]> = []
    let names = items.map(\.name).filter { seen.insert(Array($0.utf8)).inserted }
    return names.prefix(FieldError.most)
  }

  private func listed(_ names: [String]) -> String {
    names.count < 2
      ? names.joined() : names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
  }
}

/// What came, for a message: quoted, at most 60 code points of it. A single character may have a million of them.
package func shown(_ text: String) -> String {
  let scalars = text.unicodeScalars
  let isShort = scalars.index(scalars.startIndex, offsetBy: 61, limitedBy: scalars.endIndex) == nil
  guard !isShort else { return "\"\(text)\"" }
  return "\"\(String(String.UnicodeScalarView(scalars.prefix(57))))…\""
}
