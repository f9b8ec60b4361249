import MartletHTTP
import MartletLiveQueries
import MartletStore

/// What a stream of several queries asks for: `?today=/v1/reminders%3Fdue=today&stats=/v1/stats`.
struct BundleRequest {
  static let most = 32

  /// By name, in the order of the URL.
  let members: [(name: String, source: LiveSource)]
  let wantsDeltas: Bool
  /// The state that the client has of each member, as far as it said so.
  let known: [StreamPosition.Known]

  var isResuming: Bool {
    known.contains { if case .nothing = $0 { false } else { true } }
  }

  /// Stands for a member that is not there, in an event's id; its state is the result's ETag otherwise, and `-` where neither was told.
  static let absence = "gone"

  /// `source`: what the `GET` of a target is answered with; `nil` where no route reads it.
  init(_ request: Request, source: (String) throws -> LiveSource?) throws {
    let items = request.queryItems
    // Before any of them is understood: a URL has room for a thousand.
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
        members.append((item.name, try BundleRequest.source(item.name, target, zone, source)))
      } catch let problem as APIProblem where problem.type != .forbidden {
        let why = problem.errors.map(\.detail).joined(separator: "; ")
        parameters.fail(item.name, why.isEmpty ? problem.detail : "\(problem.detail) \(why)")
      }
    }
    try parameters.finish()
    guard members.count <= BundleRequest.most else { throw BundleRequest.tooMany }
    guard !members.isEmpty else {
      throw APIProblem(
        .invalidParameter, "No query was given: ?name=/path for each.",
        errors: [FieldError(.parameter("name"), "expected at least one query")])
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
    .invalidParameter, "At most \(most) queries go on one stream.",
    errors: [FieldError(.parameter("live"), "expected at most \(most) queries")])

  private static let reserved: Set<String> = ["deltas", "lastEventID", "timeZone", "access"]

  private static func source(
    _ name: String, _ target: String, _ zone: String?, _ find: (String) throws -> LiveSource?
  ) throws -> LiveSource {
    guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(isNameCharacter) else {
      throw APIProblem(.invalidParameter, "A query's name has letters, digits, - and _.")
    }
    // The bundle's time zone is that of its members that know one and have none of their own.
    if let zone, !target.contains("timeZone=") {
      let parameter = QueryItem(name: "timeZone", value: zone).encoded
      let zoned = target + (target.contains("?") ? "&" : "?") + parameter
      do {
        if let source = try find(zoned) { return source }
      } catch let problem as APIProblem where problem.type == .unknownParameter {
        // One without a time zone.
      }
    }
    guard let source = try find(target) else {
      // `live?a=/v1/reminders?limit=1&flagged=true`
      let isPart = !target.hasPrefix("/")
      throw APIProblem(
        .invalidParameter,
        isPart
          ? "expected a path, such as /items; an & that belongs to a query's own path is written %26"
          : "expected the path of something that can be followed")
    }
    return source
  }
}
