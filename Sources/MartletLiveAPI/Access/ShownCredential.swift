import MartletHTTP

/// What a request shows to be let in.
enum ShownCredential {
  case nothing
  /// It has the form of a credential; whether it lets in is another question.
  case credential(Credential)
  /// It has not. The problem says which form is wanted, and nothing of what came.
  case unreadable(APIProblem)

  /// `Authorization: Bearer …` (RFC 6750 section 2.1), or the parameter that an EventSource has to take, which
  /// knows no fields.
  init(_ request: Request) {
    let field = request.fields.withFirst("Authorization", Gate.bearer)
    // What a field of another scheme says is for somebody else, a proxy.
    if let field, let shown = field {
      self = shown.map(ShownCredential.credential) ?? .unreadable(ShownCredential.noKey)
      return
    }
    guard let item = request.queryItems.first(where: { $0.name == "access" }) else {
      self = field == nil ? .nothing : .unreadable(ShownCredential.otherScheme)
      return
    }
    // A key does not belong into an URL: those are kept in logs.
    guard let shown = Credential(item.value), shown.kind == .session else {
      self = .unreadable(ShownCredential.noSession)
      return
    }
    self = .credential(shown)
  }

  private static let form = "Authorization: Bearer mk_…"

  private static let otherScheme = APIProblem.unauthorized(
    "The field Authorization does not begin with Bearer and a blank; it is to read \(form)",
    .invalid)
  private static let noKey = APIProblem.unauthorized(
    """
    What stands behind Bearer has not the form of a key: mk_, a number, _ and 32 letters and digits, all of it as it was \
    shown when the key was made, without quotation marks. The field is to read \(form)
    """, .invalid)
  private static let noSession = APIProblem.unauthorized(
    """
    The parameter access has not the form of a live session's secret: ls_, a number, _ and 32 letters and digits. A key \
    does not belong into an URL; it goes into the field \(form)
    """, .invalid)
}

extension Gate {
  /// `nil` where it is of another scheme; inside, where it is no credential.
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
