import SQLite

/// What SQLite has against a database file, as a person has to be told of it: which file, and what to do.
enum DatabaseTrouble {
  static func describe(_ error: SQLiteError, _ path: String) -> String {
    switch error.symbol {
    case "SQLITE_CORRUPT":
      "\(path) is damaged: martlet doctor looks closer, martlet restore FILE --force puts a backup in its place (\(error))"
    case "SQLITE_NOTADB":
      "\(path) is not a database, or its first page is damaged (\(error))"
    case "SQLITE_BUSY", "SQLITE_LOCKED":
      "another program keeps \(path) locked: end it, or wait until it is done (\(error))"
    case "SQLITE_FULL": "there is no room left where \(path) lies (\(error))"
    case "SQLITE_READONLY", "SQLITE_PERM": "\(path) cannot be written to (\(error))"
    case "SQLITE_CANTOPEN": "\(path), or its log beside it, cannot be opened (\(error))"
    case "SQLITE_IOERR": "\(path) cannot be read or written: the disk says so (\(error))"
    default: "\(path): \(error)"
    }
  }
}
