import Foundation

/// An event as a client understands it.
public struct StreamEvent: Equatable, Sendable {
  public var id: String?
  public var event = "message"
  public var data = ""
  public var retry: Int?

  public init(
    id: String? = nil, event: String = "message", data: String = "", retry: Int? = nil
  ) {
    self.id = id
    self.event = event
    self.data = data
    self.retry = retry
  }

  /// `data` as a JSON object.
  public var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(data.utf8))) as? [String: Any] ?? [:]
  }
}

/// Reads server-sent events (WHATWG HTML section 9.2.6) as their bytes come.
struct EventParser {
  private var line: [UInt8] = []
  private var event = StreamEvent()
  private var data: [String] = []
  private(set) var comments = 0

  mutating func receive(_ bytes: [UInt8]) -> [StreamEvent] {
    var events: [StreamEvent] = []
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        continue
      }
      if line.isEmpty { finish(&events) } else { take(String(decoding: line, as: UTF8.self)) }
      line.removeAll(keepingCapacity: true)
    }
    return events
  }

  private mutating func take(_ line: String) {
    guard let colon = line.firstIndex(of: ":") else { return }
    let value = line[line.index(after: colon)...]
    let text = String(value.hasPrefix(" ") ? value.dropFirst() : value)
    switch line[..<colon] {
    case "": comments += 1
    case "id": event.id = text
    case "event": event.event = text
    case "data": data.append(text)
    case "retry": event.retry = Int(text)
    default: break
    }
  }

  /// An event without data is none, but for its `retry`.
  private mutating func finish(_ events: inout [StreamEvent]) {
    if !data.isEmpty {
      event.data = data.joined(separator: "\n")
      events.append(event)
    }
    event = StreamEvent()
    data = []
  }
}

/// Any number of event streams, read by one thread.
public final class StreamClient {
  public struct Stream {
    fileprivate var descriptor: Int32?
    fileprivate var head: [UInt8] = []
    fileprivate var body = ChunkedBody()
    fileprivate var parser = EventParser()
    public fileprivate(set) var response: RawResponse?
    /// All that came.
    public fileprivate(set) var events: [StreamEvent] = []
    /// The server has closed the connection.
    public fileprivate(set) var hasEnded = false

    public var last: StreamEvent? { events.last }
  }

  public private(set) var streams: [Stream] = []
  private let port: UInt16

  public init(port: UInt16) { self.port = port }

  deinit { for index in streams.indices { close(index) } }

  /// Asks for an event stream; gives its index.
  @discardableResult
  public func open(_ target: String, _ fields: [(String, String)] = []) throws -> Int {
    let descriptor = try RawClient.connected(port)
    streams.append(Stream(descriptor: descriptor))
    let request = RawClient.head("GET", target, [("Accept", "text/event-stream")] + fields)
    let count = Glibc.send(
      descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL))
    guard count == request.utf8.count else {
      throw RawClient.Failure(description: "a request of \(request.utf8.count) bytes was not taken")
    }
    return streams.count - 1
  }

  /// Leaves a stream.
  public func close(_ index: Int) {
    streams[index].hasEnded = true
    if let descriptor = streams[index].descriptor { Glibc.close(descriptor) }
    streams[index].descriptor = nil
  }

  /// Reads until `condition` holds. False after `seconds`.
  public func wait(
    within seconds: Double = 10, until condition: ([Stream]) -> Bool
  ) -> Bool {
    let deadline = Deadline(seconds)
    while !condition(streams) {
      guard !deadline.isOver, streams.contains(where: { !$0.hasEnded }) else { return false }
      readOnce(deadline)
    }
    return true
  }

  /// Reads until stream `index` has an event more than `count`, and gives it.
  public func event(_ index: Int = 0, after count: Int, within seconds: Double = 10) -> StreamEvent?
  {
    guard wait(within: seconds, until: { $0[index].events.count > count }) else { return nil }
    return streams[index].events[count]
  }

  private func readOnce(_ deadline: Deadline) {
    let open = streams.indices.filter { !streams[$0].hasEnded }
    var entries = open.map {
      // poll(2) leaves out what is negative.
      pollfd(fd: streams[$0].descriptor ?? -1, events: Int16(POLLIN), revents: 0)
    }
    guard poll(&entries, nfds_t(entries.count), deadline.milliseconds) > 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    for (entry, index) in zip(entries, open) where entry.revents != 0 {
      let count = recv(entry.fd, &bytes, bytes.count, 0)
      if count > 0 {
        streams[index].receive(bytes[..<count])
      } else if count == 0 || errno != EINTR {
        streams[index].hasEnded = true
      }
    }
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
    response = RawResponse(head: head[..<end.lowerBound])
    take(head[end.upperBound...])
    head = []
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) {
    let isChunked = response?["Transfer-Encoding"] == "chunked"
    events += parser.receive(isChunked ? body.receive(bytes) : Array(bytes))
  }
}
