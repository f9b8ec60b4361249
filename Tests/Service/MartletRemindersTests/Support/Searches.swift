import MartletJSON
import MartletSQLite
import MartletStore
import Testing

@testable import MartletReminders

extension Connection {
  /// The results of a search, whose number is also counted.
  func search(
    _ text: String, markers: SearchRepository.Markers = SearchRepository.Markers(),
    limit: Int = 50
  ) throws -> [JSONObject] {
    let text = SearchText(text)
    guard let query = SearchRepository.search(text, markers: markers, limit: limit) else {
      #expect(SearchRepository.total(text) == nil)
      return []
    }
    let page = PageQuery(
      segments: [{ _ in query }], keyCount: 0, limit: 500, fingerprint: 0,
      total: SearchRepository.total(text))
    let read = try ReadPage(page, in: self)
    if limit >= 50 { #expect(read.total == read.items.count) }
    return read.items.compactMap(\.object)
  }
}
