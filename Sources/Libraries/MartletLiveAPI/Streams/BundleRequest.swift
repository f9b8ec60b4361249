import MartletHTTP
import MartletLiveQueries
import MartletStore

/// The request for a stream of several queries: `?today=/v1/reminders%3Fdue=today&stats=/v1/stats`.
struct BundleRequest {
  static let most = 32

  /// The queries and their names, in the order of the URL.
  let members: [(name: String, source: LiveSource)]
  let wantsDeltas: Bool
  /// The state of each query that the client says it has.
  let known: [StreamPosition.Known]

  var isResuming: Bool {
    known.contains { if case .nothing = $0 { false } else { true } }
  }

  /// Marks a query whose item does not exist in an event's ID. Otherwise the ID has the ETag of the
  /// result, or `-` if no result has been sent.
  static let absence = "gone"

  /// Parses a request. `source` returns the source of the `GET` of a target, or `nil` if no read
  /// route matches it. `near` returns a path close to one that does not exist.
  init(
    _ request: Request, source: (String) throws -> LiveSource?, near: (String) -> String?
  ) throws {
    let items = request.queryItems
    // Checked before any query is parsed: a URL has room for a thousand.
    guard items.count <= BundleRequest.most + BundleRequest.reserved.count else {
      throw BundleRequest.tooMany
    }
    var parameters = QueryParameters(request)
    wantsDeltas = parameters.bool("deltas") ?? false
    let parameter = parameters.string("lastEventID")
    let zone = parameters.string("timeZone")
    _ = parameters.string("access")
    var members: [(name: String, source: LiveSource)] = []
    for item in items where !BundleRequest.reserved.contains(item.name) {
      guard let target = parameters.string(item.name) else { continue }
      do {
        let found = try BundleRequest.source(item.name, target, zone, source, near)
        members.append((item.name, found))
      } catch let problem as APIProblem where problem.type != .forbidden {
        // A parameter of the query, not of the stream.
        let why = problem.errors.map { error in
          if case .parameter(let name) = error.place {
            "\(name): \(error.detail)"
          } else {
            error.detail
          }
        }.joined(separator: "; ")
        parameters.fail(item.name, why.isEmpty ? problem.detail : "\(problem.detail) \(why)")
      }
    }
    try parameters.finish()
    guard members.count <= BundleRequest.most else { throw BundleRequest.tooMany }
    guard !members.isEmpty else {
      throw APIProblem(
        .invalidParameter,
        "The stream has no queries. Add a parameter for each, with a name of your choice and the path of a GET."
      )
    }
    self.members = members
    let id = request.fields["Last-Event-ID"] ?? parameter ?? ""
    let known = id.split(separator: ".", omittingEmptySubsequences: false).map { text in
      text == BundleRequest.absence
        ? StreamPosition.Known.absence : ETag(entityTag: text).map { .result($0) } ?? .nothing
    }
    self.known = known.count == members.count ? known : members.map { _ in .nothing }
  }

  private static let tooMany = APIProblem(
    .invalidParameter,
    "Too many queries: one stream has at most \(most). Open another stream for the rest.")

  private static let reserved: Set<String> = ["deltas", "lastEventID", "timeZone", "access"]

  private static func source(
    _ name: String, _ target: String, _ zone: String?, _ find: (String) throws -> LiveSource?,
    _ near: (String) -> String?
  ) throws -> LiveSource {
    guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(isNameCharacter) else {
      throw APIProblem(
        .invalidParameter, "A query's name must be 1 to 64 letters, digits, - and _.")
    }
    // The bundle's time zone applies to the queries that accept one and do not set their own.
    if let zone, !target.contains("timeZone=") {
      let parameter = QueryItem(name: "timeZone", value: zone).encoded
      let zoned = target + (target.contains("?") ? "&" : "?") + parameter
      do {
        if let source = try find(zoned) { return source }
      } catch let problem as APIProblem where problem.type == .unknownParameter {
        // This query does not accept a time zone.
      }
    }
    guard let source = try find(target) else {
      // `live?a=/v1/reminders?limit=1&flagged=true`
      guard target.hasPrefix("/") else {
        throw APIProblem(
          .invalidParameter,
          "expected a path that begins with /, got \(shown(target)); write an & inside a query's path as %26"
        )
      }
      let hint = near(String(target.prefix { $0 != "?" })).map { "; did you mean \($0)?" } ?? ""
      throw APIProblem(
        .invalidParameter,
        "expected the path of a GET that can be streamed, got \(shown(target))\(hint)")
    }
    return source
  }
}
