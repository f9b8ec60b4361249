import MartletLiveAPI

extension CSV {
  /// A field without its quotation marks.
  struct Field {
    var text: String
    /// Between quotation marks an empty field says something: the empty text.
    var isQuoted: Bool
    var isThere: Bool { isQuoted || !text.isEmpty }
  }

  /// A row's fields (RFC 4180 section 2).
  struct Row {
    /// No more than were asked for.
    private(set) var fields: [Field] = []
    /// How many there are.
    private(set) var count = 0

    /// `bytes`: without the line end behind it. Of more than `most` fields the first ones are kept, the rest is counted.
    init(
      _ bytes: ArraySlice<UInt8>, separator: UInt8 = CSV.comma, most: Int
    ) throws(APIProblem) {
      var place = bytes.startIndex
      while true {
        let isQuoted = place < bytes.endIndex && bytes[place] == CSV.quote
        let field =
          isQuoted
          ? try Row.quoted(bytes, separator, from: &place)
          : try Row.plain(bytes, separator, from: &place)
        if count < most {
          guard let text = String(validating: field, as: UTF8.self) else {
            throw APIProblem(.invalidBody, "The row is not UTF-8.")
          }
          fields.append(Field(text: text, isQuoted: isQuoted))
        }
        count += 1
        guard place < bytes.endIndex else { return }
        // The separator.
        place += 1
      }
    }

    private static func plain(
      _ bytes: ArraySlice<UInt8>, _ separator: UInt8, from place: inout Int
    ) throws(APIProblem) -> ArraySlice<UInt8> {
      let start = place
      while place < bytes.endIndex, bytes[place] != separator {
        guard bytes[place] != CSV.quote else {
          throw APIProblem(.invalidBody, "A field with a quotation mark begins with one.")
        }
        place += 1
      }
      return bytes[start..<place]
    }

    private static func quoted(
      _ bytes: ArraySlice<UInt8>, _ separator: UInt8, from place: inout Int
    ) throws(APIProblem) -> ArraySlice<UInt8> {
      var field: [UInt8] = []
      while true {
        let start = place + 1
        place = bytes[start...].firstIndex(of: CSV.quote) ?? bytes.endIndex
        field += bytes[start..<place]
        // Never without: the reader ends a row where all quotation marks have a second one.
        if place < bytes.endIndex { place += 1 }
        guard place < bytes.endIndex, bytes[place] == CSV.quote else { break }
        // Two of them are one of the field's own.
        field.append(CSV.quote)
      }
      guard place == bytes.endIndex || bytes[place] == separator else {
        throw APIProblem(
          .invalidBody,
          "Behind the quotation mark of a field comes a \(CSV.name(of: separator)), or the row's end."
        )
      }
      return field[...]
    }
  }
}
