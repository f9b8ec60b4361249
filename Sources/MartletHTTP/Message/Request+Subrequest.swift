import MartletJSON

extension Request {
  /// A request that did not come from a socket: a part of a batch, one query of several on a stream.
  ///
  /// Read by the same parser as all others. Throws what it finds wrong with `target`, which is a path
  /// and perhaps a query, escaped.
  public init(
    _ method: Method, target: String, fields: Fields = .none, body: SharedBytes? = nil, peer: Peer
  ) throws(ProtocolError) {
    // The parser would take a line end in the target for the beginning of a field.
    guard target.utf8.allSatisfy({ Grammar.isTarget($0) }), target.utf8.first == 0x2F else {
      throw .malformed("The target is a path whose other characters are escaped.", "RFC 9112 3.2")
    }
    let text = ByteBuffer(capacity: 512)
    text.append(utf8: method.name)
    text.append(" ")
    text.append(utf8: target)
    text.append(" HTTP/1.1\r\n")
    text.append(fields.lines)
    text.append("\r\n")
    let storage = RequestStorage()
    var parser = RequestParser()
    var limits = Limits()
    // The fields were measured when they came in.
    limits.headerSection = .max
    limits.fieldLine = .max
    limits.fieldCount = .max
    _ = try parser.parse(text.bytes, into: storage, limits: limits)
    try TargetParser.decode(storage)
    storage.body = body
    storage.peer = peer
    self.init(storage)
  }
}
