import MartletHTTP
import MartletJSON
import MartletStore

/// The query parameters of a request. A route asks for each parameter by name and then calls
/// ``finish()``, which refuses the rest. All faults are reported at once.
public struct QueryParameters {
  private let request: Request?
  /// The place of the object that the parameters are members of (``init(_:in:)``).
  private var pointer: String?
  private var items: [QueryItem]
  private var known: [String] = []
  private var errors: [FieldError] = []

  /// Creates the parameters of a request.
  public init(_ request: Request) {
    self.request = request
    items = request.queryItems
  }

  /// Reads an object of a body whose members have the names and values of parameters, in their
  /// order. Each value is text, as in a query, and a parameter that may be repeated can be there
  /// several times. ``faults`` has the faults, with the pointer of the member.
  ///
  /// - Parameter pointer: The place of the object in the body, such as `/filter`.
  package init(_ members: [(name: String, value: String)], in pointer: String) {
    request = nil
    self.pointer = pointer
    items = members.map { QueryItem(name: $0.name, value: $0.value) }
  }

  /// Throws if the request has a query that the route has not read: the route accepts no
  /// parameters, apart from the parameters of `known`.
  static func checkUnread(
    _ request: Request, _ known: (Request) -> QueryParameters = { QueryParameters($0) }
  ) throws(APIProblem) {
    guard !request.isQueryRead, request.query != nil else { return }
    try known(request).finish()
  }

  /// All values of a repeatable parameter, in order.
  public mutating func strings(_ name: String) -> [String] {
    // Fast path: most requests have no query, so the names of the parameters are not needed.
    guard !items.isEmpty else { return [] }
    known.append(name)
    defer { items.removeAll { $0.name == name } }
    return items.filter { $0.name == name }.map(\.value)
  }

  /// The value of a parameter; `nil` if it is missing or was given more than once, which is a
  /// fault.
  public mutating func string(_ name: String) -> String? {
    let values = strings(name)
    guard values.count > 1 else { return values.first }
    // It is unknown which value is meant, so none is used.
    fail(name, "may be given only once, got \(values.count) values")
    return nil
  }

  /// Records a fault if a parameter is missing.
  ///
  /// `isThere` says whether a value was read. An invalid value is already a fault and adds no
  /// second one. `what` describes the parameter.
  public mutating func require(_ name: String, _ isThere: Bool, _ what: String) {
    if !isThere, !errors.contains(where: { $0.place == place(name) }) {
      fail(name, "is required: \(what)")
    }
  }

  /// Records the fault `why` if a parameter is present that other routes accept and this one does
  /// not. `why` says what to do instead.
  public mutating func refuse(_ name: String, _ why: String) {
    guard items.contains(where: { $0.name == name }) else { return }
    items.removeAll { $0.name == name }
    fail(name, why)
  }

  /// A whole number in a range, in its canonical form: `5`, not `05`.
  public mutating func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
    string(name).flatMap { integer(name, $0, range) }
  }

  /// The whole numbers of a repeatable parameter, in order.
  public mutating func integers(_ name: String, in range: ClosedRange<Int>) -> [Int] {
    strings(name).compactMap { integer(name, $0, range) }
  }

  private mutating func integer(
    _ name: String, _ text: String, _ range: ClosedRange<Int>
  ) -> Int? {
    guard let value = Int(text), range.contains(value), String(value) == text else {
      fail(
        name,
        "expected a whole number from \(range.lowerBound) to \(range.upperBound), got \(shown(text))"
      )
      return nil
    }
    return value
  }

  /// A number in a range, written as in JSON; any finite number by default.
  public mutating func number(
    _ name: String,
    in range: ClosedRange<Double> = -.greatestFiniteMagnitude ... .greatestFiniteMagnitude
  ) -> Double? {
    let isAny = range == -.greatestFiniteMagnitude ... .greatestFiniteMagnitude
    let wanted = isAny ? "" : " from \(range.lowerBound) to \(range.upperBound)"
    return value(name, expected: "a number\(wanted)") { text in
      JSONNumber(text).map(\.double).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A parameter that is `true` or `false`.
  public mutating func bool(_ name: String) -> Bool? {
    oneOf(name, ["true": true, "false": false])
  }

  /// The value for one of the names. The message of a fault lists all of them.
  public mutating func oneOf<T>(_ name: String, _ values: KeyValuePairs<String, T>) -> T? {
    string(name).flatMap { oneOf(name, $0, values) }
  }

  /// The values of a repeatable parameter, each for one of the names.
  public mutating func anyOf<T>(_ name: String, _ values: KeyValuePairs<String, T>) -> [T] {
    strings(name).compactMap { oneOf(name, $0, values) }
  }

  private mutating func oneOf<T>(
    _ name: String, _ text: String, _ values: KeyValuePairs<String, T>
  ) -> T? {
    if let match = values.first(where: { $0.key == text }) { return match.value }
    fail(name, "expected \(listed(values.map(\.key))), got \(shown(text))")
    return nil
  }

  /// A value that `parse` reads. If `parse` returns `nil`, the value is a fault, and `expected`
  /// describes a valid one.
  public mutating func value<T>(
    _ name: String, expected: String, _ parse: (String) -> T?
  ) -> T? {
    guard let text = string(name) else { return nil }
    if let value = parse(text) { return value }
    fail(
      name,
      "expected \(expected), got \(shown(text))"
        + QueryParameters.plusHint(text) { parse($0) != nil })
    return nil
  }

  /// The end of a message if the value would be valid with a plus in place of each space.
  ///
  /// The client has then written a `+` into the URL, where it means a space.
  package static func plusHint(_ text: String, _ isValid: (String) -> Bool) -> String {
    let meant = String(text.map { $0 == " " ? "+" : $0 })
    return meant != text && isValid(meant) ? "; in a URL a + is a space: write %2B for it" : ""
  }

  /// The cursor of a page. Throws an ``APIProblem`` if it is not a valid cursor.
  public mutating func cursor(_ name: String = "cursor") throws(APIProblem) -> PageCursor? {
    guard let text = string(name) else { return nil }
    guard let cursor = PageCursor(text) else {
      throw APIProblem(
        .invalidCursor, "Invalid cursor. Send the nextCursor of the previous page, or no cursor.",
        errors: [FieldError(.parameter(name), "expected a nextCursor from an earlier response")])
    }
    return cursor
  }

  /// Records a fault of a parameter. Faults beyond the first hundred are ignored.
  public mutating func fail(_ name: String, _ detail: String) {
    guard errors.count < FieldError.most else { return }
    errors.append(FieldError(place(name), detail))
  }

  private func place(_ name: String) -> FieldError.Place {
    guard let pointer else { return .parameter(name) }
    return .pointer(pointer + JSONPointer([name]).description)
  }

  /// Throws an ``APIProblem`` that names every invalid parameter and every one that was not asked
  /// for.
  ///
  /// A route that never calls it accepts no parameters, and a request with a query is refused.
  public func finish() throws(APIProblem) {
    request?.isQueryRead = true
    if errors.isEmpty, items.isEmpty { return }
    let unknown = unknown
    guard errors.isEmpty else {
      throw APIProblem(
        .invalidParameter, "Invalid query parameter.",
        errors: errors + unknown)
    }
    guard unknown.isEmpty else {
      throw APIProblem(
        .unknownParameter, "Unknown query parameter.",
        errors: unknown)
    }
  }

  /// Every invalid member of the object, and every one that was not asked for.
  package var faults: [FieldError] { errors + unknown }

  private var unknown: [FieldError] {
    let allowed = known.isEmpty ? "none" : known.sorted().joined(separator: ", ")
    let whole = pointer == nil ? "this route" : "it"
    return unknownNames.map {
      let hint = "\(whole) accepts: \(allowed)"
      let suggestion =
        pointer == nil
        ? Suggestion.parameter(for: $0, among: known, else: hint)
        : Suggestion.text(for: $0, among: known, else: hint)
      return FieldError(place($0), "unknown" + suggestion)
    }
  }

  /// The names of the unread parameters, each once, compared by bytes.
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

/// The received value for use in a message: quoted, and truncated to 60 code points. The limit
/// counts code points because one character can consist of a million of them.
package func shown(_ text: String) -> String {
  let scalars = text.unicodeScalars
  let isShort = scalars.index(scalars.startIndex, offsetBy: 61, limitedBy: scalars.endIndex) == nil
  guard !isShort else { return "\"\(text)\"" }
  return "\"\(String(String.UnicodeScalarView(scalars.prefix(57))))…\""
}
