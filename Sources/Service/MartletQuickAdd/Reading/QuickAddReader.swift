import MartletTime

/// Reads one line of text as the parts of a reminder: "Call mum tomorrow 9am #home".
///
/// The text is read once from the left. At each word the longest phrase is taken; of kinds that
/// there can be once, the first one counts and the others are text, except that a day and a time
/// that are apart are joined. Where words that say one thing together are not in one phrase, no
/// date is read, because that of a part would be wrong. The rest is the title.
///
/// Of several languages the one that understands more of the text is taken, that is, the one with
/// the most characters in phrases. No date is read from a text that mixes them.
///
/// Reading depends on nothing but the text and what the reader was made with, and takes time
/// proportional to the length of the text. Every text can be read; only the title may come out
/// empty.
public struct QuickAddReader: Sendable {
  /// The maximum length of a text that callers should accept, in Unicode scalars. The reader itself
  /// has no limit.
  public static let longestText = 4_000

  /// The languages that are tried. Of several that understand equally much the first one counts.
  public let languages: [QuickAddLanguage]
  /// The current time.
  public let now: Instant
  /// The zone of dates and times of day.
  public let zone: ZoneInfo
  private let readers: [LanguageReader]

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - languages: The languages that a text can be in, the likeliest one first; without any,
  ///     English.
  ///   - now: The current time.
  ///   - zone: The zone of dates and times of day.
  ///   - lists: The lists that a text can name. Of several with one title the first one counts.
  ///   - tags: The tags that `#` can name where no list has the name.
  public init(
    languages: [QuickAddLanguage] = [.english], now: Instant, zone: ZoneInfo,
    lists: [QuickAddList] = [], tags: [String] = []
  ) {
    self.languages = languages.isEmpty ? [.english] : languages
    self.now = now
    self.zone = zone
    let lists = ListIndex(lists)
    let tags = Set(tags.map(TagNames.key))
    readers = self.languages.map {
      LanguageReader(language: $0, now: now, zone: zone, lists: lists, tags: tags)
    }
  }

  /// Reads a text.
  ///
  /// - Parameter text: One line. Line breaks and NUL are blanks.
  /// - Returns: What it describes.
  public func read(_ text: String) -> QuickAdd { counted(text).result }

  /// Reads a text and counts the steps.
  package func counted(_ text: String) -> (result: QuickAdd, steps: Int) {
    let readings = readers.map { $0.reading(of: text) }
    let understood = readings.map(\.understood)
    let best = understood.firstIndex(of: understood.max() ?? 0) ?? 0
    let isDoubtful = readings.indices.contains { place in
      place == best ? readings[place].hasDoubt : readings[best].isDoubted(by: readings[place])
    }
    return (
      readings[best].result(withDates: !isDoubtful), readings.reduce(0) { $0 + $1.steps }
    )
  }
}
