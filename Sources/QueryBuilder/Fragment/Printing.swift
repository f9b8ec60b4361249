import FoundationEssentials

extension QueryFragment {
  /// The ways to print one and the same fragment.
  public enum Printing: Sendable {
    /// `"reminders"."title"`, values as `?`: ordinary statements.
    case statement
    /// Values as literals: bodies of triggers and views, which take no parameters.
    case literal
  }

  /// A fragment in print.
  public struct Prepared: Sendable {
    public var sql: String
    public var bindings: [QueryBinding]
    /// What has no meaning where it was printed, in words for the person who wrote it.
    public var issues: [String]
    /// What the library that runs it must have.
    public var requirements: [Requirement]
  }

  public func prepare(_ printing: Printing = .statement) -> Prepared {
    var sql = ""
    sql.reserveCapacity(segments.count * 24)
    var bindings: [QueryBinding] = []
    var issues: [String] = []
    var requirements: [Requirement] = []
    for segment in segments {
      switch segment {
      case .sql(let text): sql += text
      case .column(let qualifier, let name):
        sql.append(column: name, of: qualifier)
      case .binding(let value):
        switch printing {
        case .statement:
          sql += "?"
          bindings.append(value)
        case .literal:
          sql += value.literal
          if let issue = value.issueInTrigger { issues.append(issue) }
        }
      case .parameter:
        sql += "?"
        bindings.append(.invalid(reason: "the value of a prepared query's parameter is missing"))
      case .requirement(let requirement): requirements.append(requirement)
      }
    }
    return Prepared(
      sql: sql, bindings: bindings, issues: issues, requirements: requirements)
  }
}

extension QueryBinding {
  /// The value as an SQL literal.
  var literal: String {
    switch self {
    case .null, .invalid: "NULL"
    case .bool(let value): value ? "1" : "0"
    case .int(let value): String(value)
    case .double(let value):
      value.isNaN
        ? "NULL" : value.isInfinite ? value.sign == .minus ? "-9e999" : "9e999" : String(value)
    case .text(let text): quoted(literal: text)
    case .blob(let bytes): quoted(blob: bytes)
    case .date(let date): quoted(literal: date.sqliteText)
    case .uuid(let uuid): quoted(literal: uuid.uuidString.lowercased())
    }
  }

  /// A date or UUID written into a trigger is the one of the moment of installation, each time.
  fileprivate var issueInTrigger: String? {
    switch self {
    case .date:
      "Cannot bind a date to a trigger statement. Specify dates using the '#sql' macro, instead."
    case .uuid:
      "Cannot bind a UUID to a trigger statement. Specify UUIDs using the '#sql' macro, instead."
    case .invalid(let reason): reason
    case .null, .bool, .int, .double, .text, .blob: nil
    }
  }
}
