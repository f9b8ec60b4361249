import MartletHTTP

/// The credential in a request, before it is verified.
enum RequestCredential {
  case nothing
  /// A well-formed credential that is yet to be verified.
  case credential(Credential)
  /// A malformed credential. The problem says which form is expected and repeats nothing of the
  /// value.
  case unreadable(APIProblem)

  /// Reads `Authorization: Bearer …` (RFC 6750 section 2.1), or the query parameter `access`,
  /// because an `EventSource` cannot send header fields. With `isBasic` also `Authorization: Basic
  /// …` (RFC 7617), whose password is a key; the name of the user is ignored.
  init(_ request: Request, isBasic: Bool = false) {
    if isBasic, let shown = request.fields.withFirst("Authorization", BasicCredential.key),
      let shown
    {
      self = shown.map(RequestCredential.credential) ?? .unreadable(RequestCredential.noPassword)
      return
    }
    let field = request.fields.withFirst("Authorization", Gate.bearer)
    // Credentials of another scheme are meant for another server, such as a proxy.
    if let field, let shown = field {
      self = shown.map(RequestCredential.credential) ?? .unreadable(RequestCredential.noKey)
      return
    }
    guard let item = request.queryItems.first(where: { $0.name == "access" }) else {
      self = field == nil ? .nothing : .unreadable(RequestCredential.otherScheme)
      return
    }
    // Keys are not accepted in a URL because URLs are logged.
    guard let shown = Credential(item.value), shown.kind == .session else {
      self = .unreadable(RequestCredential.noSession)
      return
    }
    self = .credential(shown)
  }

  private static let form = "Authorization: Bearer mk_…"

  private static let otherScheme = APIProblem.unauthorized(
    "The Authorization field does not begin with Bearer and a space. Send \(form)",
    .invalid)
  private static let noKey = APIProblem.unauthorized(
    """
    The value after Bearer does not have the form of a key: mk_, a number, _ and 32 letters and digits. Copy it as it was \
    shown when the key was created, without quotation marks, and send \(form)
    """, .invalid)
  private static let noPassword = APIProblem.unauthorized(
    """
    The password does not have the form of a key: mk_, a number, _ and 32 letters and digits. Enter a key as the \
    password; the name of the user can be anything.
    """, .invalid)
  private static let noSession = APIProblem.unauthorized(
    """
    The parameter access does not have the form of a live session: ls_, a number, _ and 32 letters and digits. A key \
    does not belong in a URL; send it as \(form)
    """, .invalid)
}

extension Gate {
  /// Parses the value of `Authorization`. The outer `nil` means another scheme, the inner `nil` a
  /// malformed credential.
  static func bearer(_ field: UnsafeBufferPointer<UInt8>) -> Credential?? {
    let scheme: StaticString = "bearer"
    let count = scheme.utf8CodeUnitCount
    guard field.count >= count,
      UnsafeBufferPointer(rebasing: field[..<count]).equalsIgnoringCase(scheme)
    else { return nil }
    var start = count
    while start < field.count, field[start] == 0x20 { start += 1 }
    guard start > count else { return start == field.count ? .some(nil) : nil }
    return .some(Credential(UnsafeBufferPointer(rebasing: field[start...])))
  }
}
