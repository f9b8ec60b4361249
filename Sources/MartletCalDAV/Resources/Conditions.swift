import MartletHTTP

/// `If-Match` and `If-None-Match` (RFC 9110 section 13.1).
struct Conditions: Sendable {
  private let match: String?
  private let noneMatch: String?

  init(_ request: Request) {
    match = request.fields.list("If-Match")
    noneMatch = request.fields.list("If-None-Match")
  }

  /// Throws a 412 if the conditions do not hold. `tag` is `nil` if there is no resource.
  func check(_ tag: String?) throws {
    if let match {
      guard let tag, Conditions.names(match, tag) else { throw DAVError.mismatch }
    }
    if let noneMatch, let tag, Conditions.names(noneMatch, tag) { throw DAVError.mismatch }
  }

  /// Whether the client has the current state.
  func isUnchanged(_ tag: String) -> Bool { noneMatch.map { Conditions.names($0, tag) } ?? false }

  /// Whether a list of tags is `*` or has the tag. Some clients leave out the quotation marks, and
  /// some proxies make tags weak. No tag of ours has a comma.
  private static func names(_ list: String, _ tag: String) -> Bool {
    list.split(separator: ",").contains { member in
      var member = String(member).trimmed
      if member == "*" { return true }
      if member.hasPrefix("W/") { member.removeFirst(2) }
      return member == tag || "\"\(member)\"" == tag
    }
  }
}
