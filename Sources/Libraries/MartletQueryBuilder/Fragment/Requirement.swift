/// A version of SQLite that a piece of SQL needs: `unhex()` needs SQLite 3.41.
///
/// It prints nothing. The driver compares it with the library at run time, and reports what is
/// missing before SQLite fails with "no such function".
public struct Requirement: Hashable, Sendable {
  /// The function or syntax, as SQLite's documentation names it.
  public let feature: String
  /// The major version, 3.
  public let major: Int
  /// The minor version.
  public let minor: Int

  /// Makes a requirement of a feature that SQLite has since a version.
  public init(_ feature: String, since major: Int, _ minor: Int) {
    self.feature = feature
    self.major = major
    self.minor = minor
  }

  /// The text of an error, with the version that was found.
  public func message(found version: String) -> String {
    "\(feature) needs SQLite \(major).\(minor) or later; this is SQLite \(version)"
  }
}

extension QueryFragment {
  /// The versions of SQLite that the fragment needs.
  public var requirements: [Requirement] {
    segments.compactMap { if case .requirement(let requirement) = $0 { requirement } else { nil } }
  }

  /// The names of the Swift functions that the fragment calls.
  var functions: [String] {
    segments.compactMap { if case .function(let name) = $0 { name } else { nil } }
  }

  /// Why the fragment cannot be a part of the file's schema, which other programs read; `nil` if it
  /// can.
  var issueInSchema: String? {
    functions.first.map {
      "The function \"\($0)\" exists only in this program, so another program could not read or write the file. Use a temporary trigger or view, or SQL's own functions."
    }
  }

  /// The fragment with a version of SQLite that it needs.
  func requiring(_ feature: String, since major: Int, _ minor: Int) -> QueryFragment {
    requiring([Requirement(feature, since: major, minor)])
  }

  func requiring(_ requirements: [Requirement]) -> QueryFragment {
    var copy = self
    copy.segments += requirements.map(Segment.requirement)
    return copy
  }
}
