import Glibc

/// A system call that failed while the server was set up.
public struct SystemError: Error, Sendable, CustomStringConvertible {
  public let call: String
  /// `errno`, or `getaddrinfo`'s result.
  public let code: Int32
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
