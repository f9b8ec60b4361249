import MartletSQLite
import MartletStore
import MartletTime

@testable import MartletReminders

extension FuzzTarget {
  /// A search text. Every text leads to a valid FTS5 query.
  static let search = FuzzTarget(name: "search") {
    let connection = try ServiceDatabase.open()
    return { bytes in
      let text = SearchText(String(decoding: bytes, as: UTF8.self))
      let terms = text.words.count + text.phrases.count + text.tags.count
      try expect(terms <= SearchText.mostTerms, "\(terms) terms")
      let search = SearchRepository.search(text, markers: .init(), limit: 3)
      for query in [search, SearchRepository.total(text)].compactMap({ $0 }) {
        _ = try connection.statement(for: query).rows()
      }
    }
  }
}
