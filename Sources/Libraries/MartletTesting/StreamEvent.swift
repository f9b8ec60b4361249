import MartletJSON

/// An event of an event stream, as a client receives it.
public struct StreamEvent: Equatable, Sendable {
  /// The `id` field, which a client sends back as `Last-Event-ID`; `nil` if the event has none.
  public var id: String?
  /// The `event` field: `result`, `delta`, `problem` … `message` if the event has none.
  public var event = "message"
  /// The `data` fields, joined by line feeds.
  public var data = ""
  /// The `retry` field in milliseconds.
  public var retry: Int?

  /// An event made of its fields.
  public init(
    id: String? = nil, event: String = "message", data: String = "", retry: Int? = nil
  ) {
    self.id = id
    self.event = event
    self.data = data
    self.retry = retry
  }

  /// `data` as a JSON value. Throws a ``TestFailure`` if it is not JSON.
  public var value: JSONValue {
    get throws { try JSONValue.parsed(data) }
  }
}

/// Parses an event stream (WHATWG HTML section 9.2.6) from bytes in pieces of any size.
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

  /// An empty line dispatches the event; one without data is dropped.
  private mutating func finish(_ events: inout [StreamEvent]) {
    if !data.isEmpty {
      event.data = data.joined(separator: "\n")
      events.append(event)
    }
    event = StreamEvent()
    data = []
  }
}
