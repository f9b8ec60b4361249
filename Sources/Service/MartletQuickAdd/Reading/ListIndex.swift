@_spi(_Unicode) import Swift

/// Finds lists by their titles, without regard to case and to the form of Unicode.
struct ListIndex: Sendable {
  /// Sorted by key; of equal keys the one given first comes first.
  private let entries: [(key: [Unicode.Scalar], id: Int)]

  init(_ lists: [QuickAddList]) {
    entries = lists.enumerated()
      .map { (key: ListIndex.key($0.element.title), place: $0.offset, id: $0.element.id) }
      .sorted { left, right in
        ListIndex.isBefore(left.key, right.key)
          || left.key == right.key && left.place < right.place
      }
      .map { ($0.key, $0.id) }
  }

  /// The list with this title, the first one if there are several; otherwise the only one whose
  /// title begins so.
  func list(named name: String) -> Int? {
    let key = ListIndex.key(name)
    guard !key.isEmpty else { return nil }
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if ListIndex.isBefore(entries[middle].key, key) { low = middle + 1 } else { high = middle }
    }
    guard low < entries.count, entries[low].key.starts(with: key) else { return nil }
    let isTitle = entries[low].key.count == key.count
    let isOnly = low + 1 == entries.count || !entries[low + 1].key.starts(with: key)
    return isTitle || isOnly ? entries[low].id : nil
  }

  private static func key(_ text: String) -> [Unicode.Scalar] {
    // The standard library's normalization, which has no public API yet.
    Array(text.lowercased()._nfc)
  }

  private static func isBefore(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Bool {
    left.lexicographicallyPrecedes(right)
  }
}

/// A list that a text can name.
public struct QuickAddList: Hashable, Sendable {
  /// Its ID.
  public var id: Int
  /// Its title.
  public var title: String

  /// Makes a list.
  ///
  /// - Parameters:
  ///   - id: Its ID.
  ///   - title: Its title.
  public init(id: Int, title: String) {
    self.id = id
    self.title = title
  }
}
