import Glibc

/// Any number of event streams from a server on 127.0.0.1, read by one thread.
public final class StreamClient {
  /// One event stream, as far as it was read.
  public struct Stream {
    fileprivate var descriptor: Int32?
    fileprivate var head: [UInt8] = []
    fileprivate var body = ChunkedBody()
    fileprivate var parser = EventParser()
    /// The response's head; `nil` until it has arrived.
    public fileprivate(set) var response: TestResponse?
    /// All events that have arrived.
    public fileprivate(set) var events: [StreamEvent] = []
    /// Whether the stream has ended, or its connection was closed by either side.
    public fileprivate(set) var hasEnded = false

    /// The latest event.
    public var last: StreamEvent? { events.last }
    /// The number of comments, which the server sends as heartbeats.
    public var comments: Int { parser.comments }
  }

  /// The streams in the order in which they were opened.
  public private(set) var streams: [Stream] = []
  private let port: UInt16

  /// A client for the server on this port. It connects once for each stream.
  public init(port: UInt16) { self.port = port }

  deinit { for index in streams.indices { close(index) } }

  /// Requests an event stream and returns its index.
  @discardableResult
  public func open(_ target: String, _ fields: [(String, String)] = []) throws -> Int {
    let descriptor = try TestClient.connected(port)
    streams.append(Stream(descriptor: descriptor))
    let request = TestClient.head("GET", target, [("Accept", "text/event-stream")] + fields)
    let count = Glibc.send(
      descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL))
    guard count == request.utf8.count else {
      throw TestFailure("the socket did not take a request of \(request.utf8.count) bytes")
    }
    return streams.count - 1
  }

  /// Closes a stream's connection.
  public func close(_ index: Int) {
    streams[index].hasEnded = true
    if let descriptor = streams[index].descriptor { Glibc.close(descriptor) }
    streams[index].descriptor = nil
  }

  /// Reads until `condition` holds. Returns false after `seconds`, or when all streams have ended.
  public func wait(
    within seconds: Double = Deadline.hang, until condition: ([Stream]) -> Bool
  ) -> Bool {
    let deadline = Deadline(seconds)
    while !condition(streams) {
      guard streams.contains(where: { !$0.hasEnded }) else { return false }
      // What has already arrived is read even if the deadline has passed.
      guard readOnce(deadline) || !deadline.isOver else { return false }
    }
    return true
  }

  /// Reads until a stream has more than `count` events and returns the event with that index.
  public func event(_ index: Int = 0, after count: Int, within seconds: Double = Deadline.hang)
    -> StreamEvent?
  {
    guard wait(within: seconds, until: { $0[index].events.count > count }) else { return nil }
    return streams[index].events[count]
  }

  /// Returns whether anything was read.
  private func readOnce(_ deadline: Deadline) -> Bool {
    let open = streams.indices.filter { !streams[$0].hasEnded }
    var entries = open.map {
      // poll(2) ignores negative descriptors.
      pollfd(fd: streams[$0].descriptor ?? -1, events: Int16(POLLIN), revents: 0)
    }
    guard poll(&entries, nfds_t(entries.count), deadline.milliseconds) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    for (entry, index) in zip(entries, open) where entry.revents != 0 {
      let count = recv(entry.fd, &bytes, bytes.count, 0)
      if count > 0 {
        streams[index].receive(bytes[..<count])
        if streams[index].body.isComplete { close(index) }
      } else if count == 0 || errno != EINTR {
        streams[index].hasEnded = true
      }
    }
    return true
  }
}

extension StreamClient.Stream {
  fileprivate mutating func receive(_ bytes: ArraySlice<UInt8>) {
    guard response == nil else {
      take(bytes)
      return
    }
    head += bytes
    guard let end = head.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
    response = TestResponse(head: head[..<end.lowerBound])
    take(head[end.upperBound...])
    head = []
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) {
    let isChunked = response?["Transfer-Encoding"] == "chunked"
    events += parser.receive(isChunked ? body.receive(bytes) : Array(bytes))
  }
}
