import MartletJSON

/// Encodes the head of a response (RFC 9112 section 4).
enum ResponseEncoder {
  /// How the end of the content is marked (RFC 9112 section 6).
  enum Framing {
    /// 204 and 304 have no content.
    case none
    case length(Int)
    case chunked
    /// The content ends with the connection (HTTP/1.0).
    case close
  }

  enum Persistence {
    /// The default of HTTP/1.1.
    case implied
    /// An HTTP/1.0 client asked for it, and the response confirms it.
    case keepAlive
    case close
  }

  static func encode(
    _ status: Status, _ fields: Fields, _ framing: Framing, _ persistence: Persistence,
    _ standing: RateLimitStatus?, _ more: Fields, _ loop: LoopState
  ) {
    let head = loop.head
    if status == .ok {
      head.append("HTTP/1.1 200 OK\r\n")
    } else {
      head.append("HTTP/1.1 ")
      head.append(decimal: Int(status.rawValue))
      head.append(0x20)
      head.append(status.phrase)
      head.append("\r\n")
    }
    head.append(loop.dateLine.bytes)
    switch framing {
    case .none, .close: break
    case .length(let length):
      head.append("Content-Length: ")
      head.append(decimal: length)
      head.append("\r\n")
    case .chunked: head.append("Transfer-Encoding: chunked\r\n")
    }
    switch persistence {
    case .implied: break
    case .keepAlive: head.append("Connection: keep-alive\r\n")
    case .close: head.append("Connection: close\r\n")
    }
    standing?.write("address", to: head)
    head.append(more.lines)
    head.append(loop.commonFields.lines)
    head.append(fields.lines)
    head.append("\r\n")
  }
}
