/// What is wrong with a calendar file. The line is known to the reader.
package struct CalendarError: Error, Equatable {
  package let detail: String
  package init(_ detail: String) { self.detail = detail }
}

extension StringProtocol {
  /// Its beginning, for a message: at most 40 scalars. A prefix of characters can be as long as the text, since one
  /// character takes any number of combining marks.
  package var excerpt: String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.prefix(40))
    return String(scalars)
  }
}
