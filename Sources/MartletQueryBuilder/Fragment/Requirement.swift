/// What a piece of SQL needs of the library that runs it: `unhex()` needs SQLite 3.41.
///
/// It prints nothing. Whoever executes the statement compares it with the library that is linked at run
/// time, and can so say what is missing before SQLite says "no such function".
public struct Requirement: Hashable, Sendable {
  /// The function or syntax, as SQLite's documentation names it.
  public let feature: String
  public let major: Int
  public let minor: Int

  public init(_ feature: String, since major: Int, _ minor: Int) {
    self.feature = feature
    self.major = major
    self.minor = minor
  }

  /// The words for an error, with the version that was found.
  public func message(found version: String) -> String {
    "\(feature) needs SQLite \(major).\(minor) or later; this is SQLite \(version)"
  }
}

extension QueryFragment {
  /// What its pieces need of SQLite.
  public var requirements: [Requirement] {
    segments.compactMap { if case .requirement(let requirement) = $0 { requirement } else { nil } }
  }

  /// The functions in Swift that its pieces call.
  var functions: [String] {
    segments.compactMap { if case .function(let name) = $0 { name } else { nil } }
  }

  /// Why it cannot be a part of the file's schema, which other programs read.
  var issueInSchema: String? {
    functions.first.map {
      "The function \"\($0)\" is this program's: another one could not read or write the file. Use a temporary trigger or view, or SQL's own functions."
    }
  }

  /// The same, and the version of SQLite that it needs.
  func requiring(_ feature: String, since major: Int, _ minor: Int) -> QueryFragment {
    requiring([Requirement(feature, since: major, minor)])
  }

  func requiring(_ requirements: [Requirement]) -> QueryFragment {
    var copy = self
    copy.segments += requirements.map(Segment.requirement)
    return copy
  }
}
