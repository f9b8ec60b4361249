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
    var bindings: [QueryBinding] = []
    var literals: [String] = []
    var issues: [String] = []
    var requirements: [Requirement] = []
    var (count, markCount) = (0, 0)
    let mark = UInt8(ascii: "\"")
    for segment in segments {
      switch segment {
      case .sql(let text): count += text.utf8.count
      case .column(let qualifier, let name):
        count += qualifier.utf8.count + name.utf8.count + 5
        markCount +=
          MartletQueryBuilder.count(of: mark, in: qualifier)
          + MartletQueryBuilder.count(of: mark, in: name)
      case .binding(let value):
        switch printing {
        case .statement:
          count += 1
          bindings.append(value)
        case .literal:
          let literal = value.literal
          count += literal.utf8.count
          literals.append(literal)
          if let issue = value.issueInTrigger { issues.append(issue) }
        }
      case .parameter:
        count += 1
        bindings.append(.invalid(reason: "the value of a prepared query's parameter is missing"))
      case .requirement(let requirement): requirements.append(requirement)
      case .function: break
      }
    }
    let text = text(count + markCount, isPlain: markCount == 0, literals)
    return Prepared(
      sql: text, bindings: bindings, issues: issues, requirements: requirements)
  }

  /// In a string that is allocated once, of `count` bytes. `literals` stand for the values; where there are none, `?`.
  private func text(_ count: Int, isPlain: Bool, _ literals: [String]) -> String {
    String(unsafeUninitializedCapacity: count) { buffer in
      var text = TextBuffer(buffer)
      var literals = literals.makeIterator()
      let mark = UInt8(ascii: "\"")
      for segment in segments {
        switch segment {
        case .sql(let sql): text.append(sql)
        case .column(let qualifier, let name):
          text.append(qualifier, quotedBy: mark, isPlain: isPlain)
          text.append(UInt8(ascii: "."))
          text.append(name, quotedBy: mark, isPlain: isPlain)
        case .binding:
          if let literal = literals.next() {
            text.append(literal)
          } else {
            text.append(UInt8(ascii: "?"))
          }
        case .parameter: text.append(UInt8(ascii: "?"))
        case .requirement, .function: break
        }
      }
      return text.count
    }
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
