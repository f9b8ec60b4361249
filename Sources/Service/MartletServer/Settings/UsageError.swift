/// A mistake in the command line, an environment variable or the configuration file. Exit code 2.
struct UsageError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// The reason why a valid command failed. Exit code 1.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
