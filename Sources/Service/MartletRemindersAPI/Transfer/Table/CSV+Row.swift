import MartletLiveAPI

extension CSV {
  /// A field of a row.
  struct Field {
    /// The contents without quotation marks.
    var text: String
    /// Whether the field is quoted. A quoted empty field is the empty text, and not a missing
    /// value.
    var isQuoted: Bool
    /// Whether the field has a value.
    var isThere: Bool { isQuoted || !text.isEmpty }
  }

  /// The fields of a row (RFC 4180 section 2).
  struct Row {
    /// The fields, up to the requested number.
    private(set) var fields: [Field] = []
    /// The number of fields in the row.
    private(set) var count = 0
    /// Whether all fields beyond the requested number are empty.
    private(set) var isRestEmpty = true

    /// Splits a row into fields.
    ///
    /// - Parameters:
    ///   - bytes: The row without its line break.
    ///   - separator: The byte between the fields.
    ///   - most: The number of fields to keep. Further fields are only counted.
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
        } else if !field.isEmpty {
          isRestEmpty = false
        }
        count += 1
        guard place < bytes.endIndex else { return }
        // Skips the separator.
        place += 1
      }
    }

    private static func plain(
      _ bytes: ArraySlice<UInt8>, _ separator: UInt8, from place: inout Int
    ) throws(APIProblem) -> ArraySlice<UInt8> {
      let start = place
      while place < bytes.endIndex, bytes[place] != separator {
        guard bytes[place] != CSV.quote else {
          throw APIProblem(.invalidBody, "A field that contains a quotation mark must be quoted.")
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
        // Always true: the reader ends a row only when all quotation marks are closed.
        if place < bytes.endIndex { place += 1 }
        guard place < bytes.endIndex, bytes[place] == CSV.quote else { break }
        // Two quotation marks in a row stand for one in the text.
        field.append(CSV.quote)
      }
      guard place == bytes.endIndex || bytes[place] == separator else {
        throw APIProblem(
          .invalidBody,
          "A closing quotation mark must be followed by a \(CSV.name(of: separator)) or the end of the row."
        )
      }
      return field[...]
    }
  }
}
