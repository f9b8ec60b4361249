import MartletJSON

extension Request {
  /// Makes a request that does not come from a socket, such as a part of a batch or one query of
  /// several on an event stream.
  ///
  /// `target` is an escaped path, optionally with a query. The same parser as for other requests
  /// reads it, and throws its errors.
  public init(
    _ method: Method, target: String, fields: Fields = .none, body: SharedBytes? = nil, peer: Peer
  ) throws(ProtocolError) {
    guard target.utf8.first == UInt8(ascii: "/") else {
      throw .malformed("The target must be a path.", "RFC 9112 3.2")
    }
    let storage = RequestStorage()
    storage.method = method
    storage.peer = peer
    storage.body = body
    storage.head.append(utf8: target)
    storage.target = Slice(0, storage.head.count)
    fields.visit { name, value in
      let start = storage.head.count
      storage.head.append(name)
      let middle = storage.head.count
      storage.head.append(value.trimmed)
      storage.fields.append(
        RequestStorage.Field(
          name: Slice(start, middle), value: Slice(middle, storage.head.count)))
    }
    try TargetParser.parse(storage.head.bytes, storage)
    try TargetParser.decode(storage)
    self.init(storage)
  }
}
