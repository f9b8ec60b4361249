/// An error in a calendar file. ``CalendarReader/line`` has the line number.
package struct CalendarError: Error, Equatable {
  /// The fault as a sentence.
  package let detail: String
  /// Makes an error.
  package init(_ detail: String) { self.detail = detail }
}

extension StringProtocol {
  /// The beginning of a text for use in a message: at most 40 scalars. Counting characters would
  /// not limit its length, since one character can have any number of combining marks.
  package var excerpt: String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.prefix(40))
    return String(scalars)
  }
}
