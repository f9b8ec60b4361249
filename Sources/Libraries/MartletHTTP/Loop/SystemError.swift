import Glibc

/// A failure to bind an address or to start the server.
public struct SystemError: Error, Sendable, CustomStringConvertible {
  /// The name of the system call.
  public let call: String
  /// The `errno`, or the result of `getaddrinfo`.
  public let code: Int32
  /// The failed call and the reason, for an operator.
  public let description: String

  init(_ call: String, _ code: Int32 = errno) {
    self.call = call
    self.code = code
    description = "\(call): \(String(cString: strerror(code)))"
  }

  init(_ call: String, _ code: Int32 = errno, saying text: String) {
    self.call = call
    self.code = code
    description = text
  }
}
