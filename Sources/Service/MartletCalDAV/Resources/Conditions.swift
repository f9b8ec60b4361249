import MartletHTTP
import MartletReminders
import MartletSQLite
import MartletTime

/// The conditions of a request: `If-Match`, `If-None-Match` (RFC 9110 section 13.1) and `If` (RFC
/// 4918 section 10.4).
struct Conditions: Sendable {
  /// The state that the conditions are compared with.
  struct State {
    /// The entity tag.
    let tag: String
    /// The sync token of a list (RFC 6578 section 5).
    var token: String?
  }

  private let match: String?
  private let noneMatch: String?
  private let states: StateLists?

  /// The conditions of a change. Throws a 400 if `If` cannot be read.
  init(_ request: Request) throws {
    match = request.fields.list("If-Match")
    noneMatch = request.fields.list("If-None-Match")
    states = try request.fields.list("If").map { try StateLists($0) }
  }

  /// The conditions of a read, for ``isUnchanged(_:)``.
  init(ofRead request: Request) {
    match = nil
    noneMatch = request.fields.list("If-None-Match")
    states = nil
  }

  /// Throws a 412 if the conditions do not hold.
  ///
  /// - Parameters:
  ///   - own: The state of the resource of the request; `nil` if it does not exist.
  ///   - other: The state of another resource, which `If` can name by its path.
  func check(_ own: State?, _ other: (String) throws -> State?) throws {
    if let match {
      guard let own, Conditions.names(match, own.tag) else { throw DAVError.mismatch }
    }
    if let noneMatch, let own, Conditions.names(noneMatch, own.tag) { throw DAVError.mismatch }
    guard try states?.hold(own, other) ?? true else { throw DAVError.mismatch }
  }

  /// Whether the client has the current state.
  func isUnchanged(_ tag: String) -> Bool { noneMatch.map { Conditions.names($0, tag) } ?? false }

  /// Whether a list of tags is `*` or has the tag. Some clients leave out the quotation marks, and
  /// some proxies make tags weak. No tag of ours has a comma.
  static func names(_ list: String, _ tag: String) -> Bool {
    let tag = strong(tag)
    return list.split(separator: ",").contains { member in
      let member = strong(String(member).trimmed)
      return member == "*" || member == tag || "\"\(member)\"" == tag
    }
  }

  fileprivate static func strong(_ tag: String) -> String {
    tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
  }
}

extension Conditions {
  /// Checks the conditions of a request for an object or a list.
  func check(
    _ own: State?, _ caller: Caller, _ settings: CalDAVSettings, _ db: Connection
  ) throws {
    try check(own) { path in
      guard let (name, object) = DAVPath.parse(path),
        let list = try CalendarRepository.collection(name, among: caller.lists, in: db)
      else { return nil }
      guard let object else { return try State(list, settings, db) }
      return try CalendarRepository.entry(object, in: list.id, db).map { State($0, settings) }
    }
  }
}

extension Conditions.State {
  init(_ entry: CalendarRepository.Entry, _ settings: CalDAVSettings) {
    self.init(tag: entry.tag(house: settings.zone))
  }

  init(
    _ list: CalendarRepository.Collection, _ settings: CalDAVSettings, _ db: Connection
  ) throws {
    let token = try CalendarRepository.token(of: list.id, in: db)
    self.init(
      tag: token.tag(of: list, house: settings.zone), token: token.text(house: settings.zone))
  }
}

/// The value of `If`: lists of conditions, of which one must hold (RFC 4918 section 10.4.2).
private struct StateLists: Sendable {
  private struct Condition {
    let isNegated: Bool
    let isTag: Bool
    let value: String

    func holds(_ state: Conditions.State?) -> Bool {
      let has =
        if let state {
          isTag ? Conditions.strong(value) == Conditions.strong(state.tag) : state.token == value
        } else {
          false
        }
      return has != isNegated
    }
  }

  private struct List {
    /// The path of the resource; `nil` for that of the request.
    let path: String?
    var conditions: [Condition] = []
  }

  private var lists: [List] = []

  /// The largest number of conditions. A resource is looked up for each.
  private static let most = 100

  init(_ text: String) throws {
    var rest = Substring(text)
    var path: String?
    var count = 0
    func skip() { rest = rest.drop(while: { $0 == " " || $0 == "\t" }) }
    func take(_ open: Character, _ close: Character) throws -> String? {
      guard rest.first == open else { return nil }
      let inner = rest.dropFirst()
      guard let end = inner.firstIndex(of: close) else { throw StateLists.invalid }
      rest = inner[inner.index(after: end)...]
      return String(inner[..<end])
    }
    /// A tag in brackets. Between its quotation marks it can have brackets itself.
    func takeTag() throws -> String {
      rest.removeFirst()
      skip()
      var tag = ""
      if rest.hasPrefix("W/") {
        rest = rest.dropFirst(2)
        tag = "W/"
      }
      if let quoted = try take("\"", "\"") { tag += "\"\(quoted)\"" }
      guard let end = rest.firstIndex(of: "]") else { throw StateLists.invalid }
      defer { rest = rest[rest.index(after: end)...] }
      return tag + String(rest[..<end]).trimmed
    }
    skip()
    while !rest.isEmpty {
      // A list of fields is joined by commas.
      if rest.first == "," {
        rest.removeFirst()
      } else if let tagged = try take("<", ">") {
        path = tagged
      } else {
        guard rest.first == "(" else { throw StateLists.invalid }
        rest.removeFirst()
        var list = List(path: path)
        skip()
        while rest.first != ")" {
          let isNegated = rest.prefix(3).lowercased() == "not"
          if isNegated { rest = rest.dropFirst(3) }
          skip()
          if rest.first == "[" {
            list.conditions.append(
              Condition(isNegated: isNegated, isTag: true, value: try takeTag()))
          } else if let token = try take("<", ">") {
            list.conditions.append(Condition(isNegated: isNegated, isTag: false, value: token))
          } else {
            throw StateLists.invalid
          }
          count += 1
          guard count <= StateLists.most else { throw StateLists.tooMany }
          skip()
        }
        rest.removeFirst()
        guard !list.conditions.isEmpty else { throw StateLists.invalid }
        lists.append(list)
      }
      skip()
    }
    guard !lists.isEmpty else { throw StateLists.invalid }
  }

  private static let invalid = DAVError.badRequest(
    "If has lists of conditions in parentheses, such as ([\"tag\"]), each after the <URL> that it is about, or after none."
  )
  private static let tooMany = DAVError.badRequest(
    "If has at most \(StateLists.most) conditions.")

  func hold(
    _ own: Conditions.State?, _ other: (String) throws -> Conditions.State?
  ) rethrows -> Bool {
    for list in lists {
      let state = if let path = list.path { try other(path) } else { own }
      if list.conditions.allSatisfy({ $0.holds(state) }) { return true }
    }
    return false
  }
}
