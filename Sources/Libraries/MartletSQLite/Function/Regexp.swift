import CMartletSQLite

extension Function {
  /// The operator `text REGEXP pattern`: whether the pattern occurs anywhere in the text. NULL
  /// gives NULL.
  ///
  /// Patterns have the syntax of Swift's `Regex`. An invalid pattern makes the statement fail.
  public final class Regexp: Scalar {
    /// The function behind the operator, `regexp`.
    public override class var name: String { "REGEXP" }
    /// Two: the pattern and the text.
    public override class var argc: Int32 { 2 }
    /// Deterministic and innocuous.
    public override class var options: Options { [.deterministic, .innocuous] }

    /// Whether the pattern `args[0]` occurs in the text `args[1]`.
    public override class func invoke(args: any ArgumentsProtocol) throws -> SQLiteRepresentable? {
      guard let pattern = args[0] as String? else { return nil }
      return try contains(compile(pattern), args)
    }

    /// Caches the last pattern, which is usually the same for every row of a statement.
    override class func body() -> (Arguments) throws -> SQLiteRepresentable? {
      var last: (pattern: String, regex: Regex<AnyRegexOutput>)?
      return { args in
        guard let pattern = args[0] as String? else { return nil }
        if let last, last.pattern == pattern { return try contains(last.regex, args) }
        let regex = try compile(pattern)
        last = (pattern, regex)
        return try contains(regex, args)
      }
    }

    private static func compile(_ pattern: String) throws -> Regex<AnyRegexOutput> {
      do { return try Regex(pattern) } catch {
        throw SQLiteError(
          code: SQLITE_ERROR, message: "not a regular expression: \(pattern)", underlying: error)
      }
    }

    /// `x REGEXP y` calls `regexp(y, x)` (https://sqlite.org/lang_expr.html#regexp).
    private static func contains(
      _ regex: Regex<AnyRegexOutput>, _ args: any ArgumentsProtocol
    ) throws -> Bool? {
      guard let text = args[1] as String? else { return nil }
      return try regex.firstMatch(in: text) != nil
    }
  }
}
