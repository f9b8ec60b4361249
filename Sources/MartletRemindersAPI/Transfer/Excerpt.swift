extension StringProtocol {
  /// Its beginning, for a message: at most 40 scalars. A prefix of characters can be as long as the text, since one
  /// character takes any number of combining marks.
  var excerpt: String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.prefix(40))
    return String(scalars)
  }
}
