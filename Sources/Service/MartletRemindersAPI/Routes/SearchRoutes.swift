import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletStore

/// The route `/v1/search`.
enum SearchRoutes {
  /// Runs on a worker, because one step of FTS5 can take too long for an event loop.
  static let search = Route.read("/v1/search", on: .worker, parts: .respected, audience: .parts) {
    request, _ in
    var parameters = QueryParameters.ofRead(request)
    let text = parameters.text("q")
    var markers = SearchRepository.Markers()
    markers.before = marker("before", &parameters) ?? markers.before
    markers.after = marker("after", &parameters) ?? markers.after
    let page = parameters.onePage()
    parameters.require("q", text != nil, "what to search for")
    // The ranks change with every row of the table, so a cursor could not mark a stable position.
    parameters.refuse("cursor", "a search has one page; set its size with limit")
    try parameters.finish()
    let lists = request.lists
    let query = text.flatMap {
      SearchRepository.search($0, markers: markers, limit: page.limit, among: lists)
    }
    let total =
      page.wantsTotal ? text.flatMap { SearchRepository.total($0, among: lists) } : nil
    return LiveSource(request) { db, body in
      try db.writeJSON(
        PageQuery(
          segments: query.map { query in [{ _ in query }] } ?? [], keyCount: 0, limit: page.limit,
          fingerprint: 0, total: total), into: body)
      return true
    }
  }

  private static let longestMarker = 32

  private static func marker(_ name: String, _ parameters: inout QueryParameters) -> String? {
    guard let text = parameters.string(name) else { return nil }
    // The marker is inserted at each match, and a page may have a million of them.
    let count = text.unicodeScalars.count
    guard count <= longestMarker else {
      parameters.fail(name, "expected at most \(longestMarker) characters, got \(count)")
      return nil
    }
    guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
      parameters.fail(name, "contains a control character")
      return nil
    }
    return text
  }
}
