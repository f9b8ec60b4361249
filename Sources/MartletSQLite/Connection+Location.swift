extension Connection {
  /// Where a database lives.
  public enum Location: Sendable, Hashable {
    /// A file, by path. `file:` URIs are taken literally unless ``Options/uri`` is set.
    case file(String)
    /// In memory, seen by this connection alone.
    case inMemory
    /// A nameless file that SQLite removes when the connection closes.
    case temporary

    var path: String {
      switch self {
      // SQLite gives some names a meaning of their own; "./" takes it away from a file's path.
      case .file(let path): path.isEmpty || path.hasPrefix(":") ? "./" + path : path
      case .inMemory: ":memory:"
      case .temporary: ""
      }
    }
  }
}
