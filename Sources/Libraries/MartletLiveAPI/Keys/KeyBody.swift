import MartletHTTP
import MartletTime

/// The body of a request that creates a key.
struct KeyBody {
  let name: String
  let rights: Rights
  /// The parts that the key is limited to, as the body has them.
  let parts: [Int]
  let expiresAt: Instant?

  /// - Parameters:
  ///   - parts: The name of the member that lists the parts of the data; `nil` if keys
  ///     cannot be limited.
  ///   - now: The time, which `expiresAt` must not be before.
  init(_ request: Request, parts: StaticString?, at now: Instant) throws(APIProblem) {
    var body = try Body(request)
    name = KeyBody.name(&body)
    let scope = body.oneOf("scope", Rights.Scope.allCases.map { ($0.rawValue, $0) })
    body.require("scope", scope != nil)
    var limits: [Int]?
    if let parts {
      let name = "\(parts)"
      limits = body.nullableIDs(name, most: KeyBody.mostParts, all: "everything") ?? nil
      if limits != nil, scope == .admin {
        body.fail(name, "a key with the scope admin cannot be limited")
      }
    }
    expiresAt = body.instant("expiresAt")
    if let expiresAt, expiresAt <= now { body.fail("expiresAt", "expected a time in the future") }
    try body.finish()
    self.parts = limits ?? []
    rights = Rights(scope ?? .read, parts: limits)
  }

  private static let mostParts = 1_000

  /// Reads the name of a key, for people.
  static func name(_ body: inout Body) -> String {
    let name = body.string("name", APIKeys.nameLengths)
    body.require("name", name != nil)
    if let name, !APIKeys.isName(name) {
      body.fail("name", "expected no control characters")
    }
    return name ?? ""
  }
}

extension APIKeys {
  /// The allowed lengths of a name in characters.
  static let nameLengths = 1...100

  /// Whether a key can have this name: 1 to 100 characters without control characters.
  public static func isName(_ name: String) -> Bool {
    nameLengths.contains(name.unicodeScalars.count)
      && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
