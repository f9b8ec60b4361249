import MartletQueryBuilder
import MartletSQLite

// The query builder does not depend on SQLite, so it has its own type for values.
extension Value {
  /// The value that a binding stands for. Throws for one that is not valid.
  init(_ binding: QueryBinding) throws {
    switch binding.plain {
    case .null: self = .null
    case .int(let value): self = .integer(value)
    case .double(let value): self = .real(value)
    case .text(let text): self = .text(text)
    case .blob(let bytes): self = .blob(bytes)
    case .invalid(let reason): throw SQLiteError(code: SQLITE_MISMATCH, message: reason)
    }
  }

  /// The value as a binding of the query builder.
  package var binding: QueryBinding {
    switch self {
    case .integer(let value): .int(value)
    case .real(let value): .double(value)
    case .text(let value): .text(value)
    case .blob(let value): .blob(value)
    case .null: .null
    }
  }
}
