/// A pair of quotation marks.
struct Quotation {
  let closing: [Unicode.Scalar]
  /// Whether the marks are left out of the title. Typographic ones stay: they are part of the
  /// text.
  let isMarkup: Bool
  /// Whether the closing mark is also an apostrophe, so that no letter or digit may follow it.
  let isApostrophe: Bool

  /// The pair that begins with a character, if one does.
  init?(opening: Unicode.Scalar) {
    isMarkup = opening == "\""
    isApostrophe = opening == "'" || opening == "‘"
    switch opening {
    case "\"", "'": closing = [opening]
    case "“": closing = ["”"]
    case "„": closing = ["“", "”"]
    case "‘": closing = ["’"]
    case "‚": closing = ["‘", "’"]
    case "«": closing = ["»"]
    case "»": closing = ["«"]
    default: return nil
    }
  }
}
