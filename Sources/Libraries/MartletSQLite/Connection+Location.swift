extension Connection {
  /// The location of a database.
  public enum Location: Sendable, Hashable {
    /// A file, by path. A `file:` URI is taken literally unless ``Options/uri`` is set.
    case file(String)
    /// In memory, visible to this connection only.
    case inMemory
    /// An unnamed file that SQLite deletes when the connection closes.
    case temporary

    var path: String {
      switch self {
      // SQLite gives some names a special meaning; the "./" prefix makes them ordinary paths.
      case .file(let path): path.isEmpty || path.hasPrefix(":") ? "./" + path : path
      case .inMemory: ":memory:"
      case .temporary: ""
      }
    }
  }
}
