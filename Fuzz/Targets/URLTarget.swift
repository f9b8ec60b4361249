import MartletLiveAPI

@testable import MartletHTTP

extension FuzzTarget {
  /// A path and a query. What was parsed can be written, and reads back the same; the route tree
  /// and the patterns agree.
  static let url = FuzzTarget(name: "url") {
    let patterns: [PathPattern] = [
      "/", "/v1/lists/{id}", "/v1/{a}/{b}", "/{a}", "/v1/a/x", "/{a}/lists/y",
    ]
    let made = Result {
      try patterns.reduce(into: PathTree<PathPattern>()) { try $0.add(.get, $1, $1) }
    }
    return { bytes in
      let tree = try made.get()
      let target = String(decoding: bytes, as: UTF8.self)
      guard let request = try? request(target) else { return }
      let segments = request.target.segments
      let items = request.queryItems
      var again = "/" + segments.map(PercentEncoding.encode).joined(separator: "/")
      if !items.isEmpty { again += "?" + items.map(\.encoded).joined(separator: "&") }
      // Percent-encoded, it may exceed the limit of a request line.
      guard again.utf8.count < Limits().requestLine - 32 else { return }
      let reread = try FuzzTarget.request(again)
      try expect(reread.target.segments == segments, "\(segments) became \(reread.target.segments)")
      try expect(reread.queryItems == items, "\(items) became \(reread.queryItems)")
      let expected = patterns.filter { matches($0, segments) }.min(by: isBefore)
      guard case .found(let pattern) = tree.find(request) else {
        try expect(expected == nil, "\(segments) did not find \(expected?.text ?? "")")
        return try readParameters(request)
      }
      try expect(pattern == expected, "\(segments) found \(pattern.text)")
      for name in pattern.parameters {
        try expect(request.parameter(name)?.isEmpty == false, "\(name) is not there")
        _ = request.integer(name)
      }
      try readParameters(request)
    }
  }

  private static func request(_ target: String) throws -> Request {
    try Request(.get, target: target, peer: Peer(high: 0, low: 1, port: 1))
  }

  private static func matches(_ pattern: PathPattern, _ segments: [String]) -> Bool {
    pattern.segments.count == segments.count
      && zip(pattern.segments, segments).allSatisfy { part, segment in
        switch part {
        case .literal(let text): text.utf8.elementsEqual(segment.utf8)
        case .parameter: !segment.isEmpty
        }
      }
  }

  /// Whether, at the first segment where they differ in kind, the first pattern has a literal.
  private static func isBefore(_ one: PathPattern, _ other: PathPattern) -> Bool {
    let pairs = zip(one.segments.map(isLiteral), other.segments.map(isLiteral))
    return pairs.first { $0 != $1 }?.0 ?? false
  }

  private static func isLiteral(_ segment: PathPattern.Segment) -> Bool {
    if case .literal = segment { true } else { false }
  }

  /// Reads each parameter once, after which none may be left.
  private static func readParameters(_ request: Request) throws {
    var parameters = QueryParameters(request)
    for item in request.queryItems {
      switch item.name {
      case "limit": _ = parameters.integer("limit", in: 1...200)
      case "flagged": _ = parameters.bool("flagged")
      case "cursor": _ = try? parameters.cursor()
      default: _ = parameters.strings(item.name)
      }
    }
    do {
      try parameters.finish()
    } catch {
      try expect(error.type == .invalidParameter, "a parameter was left: \(error.errors)")
    }
  }
}
