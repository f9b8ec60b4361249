import FoundationEssentials

extension QueryFragment {
  /// How values are printed.
  public enum Printing: Sendable {
    /// As `?`, for ordinary statements.
    case statement
    /// As literals, for the bodies of triggers and views, which take no parameters.
    case literal
  }

  /// A printed fragment.
  public struct Prepared: Sendable {
    /// The SQL.
    public var sql: String
    /// The values of the parameters, in the order of the `?`.
    public var bindings: [QueryBinding]
    /// The faults of the fragment in the place where it was printed, in words for the programmer.
    public var issues: [String]
    /// The versions of SQLite that the fragment needs.
    public var requirements: [Requirement]
  }

  /// Prints the fragment.
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

  /// Prints into a string that is allocated once with `count` bytes. `literals` are the values;
  /// without them each value prints as `?`.
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

  /// A date or UUID in a trigger would always be the value from when the trigger was created.
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
