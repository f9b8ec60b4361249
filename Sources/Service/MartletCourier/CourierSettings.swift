/// The settings of the courier's process.
public struct CourierSettings: Hashable, Sendable {
  /// Where requests may go.
  public var rules: OutgoingRules
  /// The value of `User-Agent`, such as `martlet/1.0`.
  public var userAgent: String
  /// The limit for a connection to be made, with TLS.
  public var connectTimeout: Duration = .seconds(5)
  /// The limit for a whole request.
  public var timeout: Duration = .seconds(20)
  /// The limit for a mail, and once more for the farewell to a server that does not answer.
  public var mailTimeout: Duration = .seconds(30)
  /// How long a connection for pushes is kept, and a handle of libcurl.
  public var idleTimeout: Duration = .seconds(60)
  /// How much longer a result may take, before the process counts as hung.
  public var reportTimeout: Duration = .seconds(10)
  /// How much of an answer's body is read, in bytes. The rest is not awaited.
  public var bodyLimit = 64 << 10
  /// The limit for an answer's header section in bytes.
  public var headerLimit = 64 << 10
  /// A file of certificates that replaces the system's authorities.
  public var certificates: String?
  /// The name of libcurl for `dlopen`.
  public var curlLibrary = "libcurl.so.4"
  /// The name of libcrypto for `dlopen`.
  public var cryptoLibrary = "libcrypto.so.3"

  /// Makes settings with the default limits.
  public init(rules: OutgoingRules, userAgent: String) {
    self.rules = rules
    self.userAgent = userAgent
  }
}
