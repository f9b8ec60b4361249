import MartletHTTP
import MartletLiveQueries

/// The callers that may share one result of a read route.
///
/// The response cache and the live queries share results within an audience and never beyond it.
public enum Audience: Sendable {
  /// Every caller. The result depends only on the path and its parameters.
  case everyone
  /// The callers that are limited to the same parts of the data (``Rights/parts``). The result
  /// depends on nothing else about the caller.
  case parts
  /// One caller: requests with the same key or live session, from the same address, with the same
  /// header fields.
  ///
  /// The result may depend on any of these, except for the fields that only determine how a
  /// response is sent: `Accept`, `Accept-Encoding`, `If-Match`, `If-None-Match`, `Last-Event-ID`,
  /// `Connection`, `Cache-Control`, `Pragma`, `Content-Length`, `Content-Type` and `X-Request-ID`.
  case caller

  /// The callers that share the result of `request`.
  func members(_ request: Request) -> ResultKey.Audience {
    switch self {
    case .everyone: .everyone
    case .parts: .parts(request.access.rights.parts)
    case .caller: .caller(Audience.name(request))
    }
  }

  /// Hashes everything that distinguishes the audience of `request`.
  func hash(_ request: Request, into hasher: inout Hasher) {
    switch self {
    case .everyone: break
    case .parts: hasher.combine(request.access.rights.parts)
    case .caller: hasher.combine(Audience.name(request))
    }
  }

  /// Bytes that are equal for two requests only if they have the same caller.
  private static func name(_ request: Request) -> [UInt8] {
    var name: [UInt8] = []
    withUnsafeBytes(of: request.access.id) { name += $0 }
    name += request.client.address.utf8
    request.fields.visit { field, value in
      guard !isNeutral(field) else { return }
      // Neither byte can occur in a field, so they separate the pieces.
      name.append(0)
      for byte in field { name.append(byte | 0x20) }
      name.append(0x0A)
      name += value
    }
    return name
  }

  /// Whether a field determines only how a response is sent.
  private static func isNeutral(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
    neutral.contains { $0.utf8CodeUnitCount == field.count && field.equalsIgnoringCase($0) }
  }

  private static let neutral: [StaticString] = [
    "Accept", "Accept-Encoding", "If-Match", "If-None-Match", "Last-Event-ID", "Connection",
    "Cache-Control", "Pragma", "Content-Length", "Content-Type", "X-Request-ID",
  ]
}
