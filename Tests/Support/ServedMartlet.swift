/// A `martlet` that serves a database, as a separate process or in the test's process.
public protocol ServedMartlet {
  /// The folder that contains the database.
  var folder: TemporaryFolder { get }
  /// The path of the database file.
  var database: String { get }
  /// The port on 127.0.0.1.
  var port: UInt16 { get }
}

extension ServedMartlet {
  /// Returns a sample of `/metrics`.
  public func metric(_ name: String) throws -> Int {
    let text = try RawClient(port: port).get("/metrics").text
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
    guard let value = line?.split(separator: " ").last.flatMap({ Int($0) }) else {
      throw ChildProcess.Failure(description: "no sample \(name) in\n\(text)")
    }
    return value
  }
}
