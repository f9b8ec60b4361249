import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletStore

enum SearchRoutes {
  /// On a worker: one step of FTS5 may take longer than a loop can wait.
  static let search = Route.read("/v1/search", on: .worker, parts: .respected, audience: .parts) {
    request, _ in
    var parameters = QueryParameters.ofRead(request)
    let text = parameters.text("q")
    var markers = SearchRepository.Markers()
    markers.before = marker("before", &parameters) ?? markers.before
    markers.after = marker("after", &parameters) ?? markers.after
    let page = parameters.onePage()
    parameters.require("q", text != nil, "what to search for")
    // Ranks change with every row of the table, so there is no place in their order to go on from.
    parameters.refuse("cursor", "a search has one page; limit says how long it is")
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
    // It stands at each match: a page may have a million.
    let count = text.unicodeScalars.count
    guard count <= longestMarker else {
      parameters.fail(name, "expected at most \(longestMarker) characters, got \(count)")
      return nil
    }
    guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
      parameters.fail(name, "holds a control character")
      return nil
    }
    return text
  }
}
