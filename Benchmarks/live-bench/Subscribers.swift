import CMartletSystem
import Glibc

/// Many event streams on one thread. An event is counted when its terminating empty line arrives.
final class Subscribers {
  struct Stream {
    var descriptor: Int32
    /// The number of complete events.
    var events = 0
    /// When the last event was complete, as ``now()``.
    var last = 0.0
    /// The newest tick seen in an event, such as `tick-00000042`; -1 before the first.
    var tick = -1
    /// The ID of the last event.
    var id = ""
    var isAfterLine = false
    var rest: [UInt8] = []
  }

  private(set) var streams: [Stream] = []
  private let queue = epoll_create1(0)
  private let port: UInt16
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var entries = [epoll_event](repeating: epoll_event(), count: 1024)
  /// Whether to parse IDs and ticks from events, which takes CPU time. Otherwise it only counts.
  var reads = true

  init(port: UInt16) { self.port = port }
  deinit {
    closeAll()
    close(queue)
  }

  func closeAll() {
    for stream in streams { close(stream.descriptor) }
    streams = []
  }

  func open(_ target: String, lastEventID: String? = nil) throws {
    let descriptor = try HTTPClient.connect(port)
    let fields = lastEventID.map { ["Last-Event-ID: \($0)"] } ?? []
    let head = HTTPClient.head("GET", target, ["Accept: text/event-stream"] + fields)
    guard write(descriptor, head, head.utf8.count) == head.utf8.count else {
      throw Failure("a request could not be sent")
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    event.data.u32 = UInt32(streams.count)
    epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event)
    streams.append(Stream(descriptor: descriptor))
    if streams.count % 128 == 0 { read(milliseconds: 0) }
  }

  /// Reads available bytes, waiting at most this long for some.
  func read(milliseconds: Int32) {
    let count = epoll_wait(queue, &entries, Int32(entries.count), milliseconds)
    guard count > 0 else { return }
    let time = now()
    for entry in entries[..<Int(count)] { read(Int(entry.data.u32), time) }
  }

  private func read(_ index: Int, _ time: Double) {
    let count = Glibc.read(streams[index].descriptor, &buffer, buffer.count)
    guard count > 0 else {
      if count == 0 { epoll_ctl(queue, EPOLL_CTL_DEL, streams[index].descriptor, nil) }
      return
    }
    var complete = 0
    var isAfterLine = streams[index].isAfterLine
    for byte in buffer[..<count] where byte != UInt8(ascii: "\r") {
      if byte == UInt8(ascii: "\n") {
        if isAfterLine { complete += 1 }
        isAfterLine = true
      } else {
        isAfterLine = false
      }
    }
    streams[index].isAfterLine = isAfterLine
    if complete > 0 {
      streams[index].events += complete
      streams[index].last = time
    }
    if reads { look(index, buffer[..<count]) }
  }

  private func look(_ index: Int, _ bytes: ArraySlice<UInt8>) {
    let all = streams[index].rest + bytes
    if let place = Subscribers.last("tick-", in: all), place + 13 <= all.count {
      streams[index].tick =
        Int(String(decoding: all[(place + 5)..<(place + 13)], as: UTF8.self)) ?? -1
    }
    if let place = Subscribers.last("id: ", in: all) ?? Subscribers.last("id:", in: all) {
      let id = all[place...].prefix { $0 != UInt8(ascii: "\n") }
      streams[index].id =
        String(decoding: id.dropFirst(3), as: UTF8.self)
        .trimmingPrefix { $0 == " " }.description
    }
    streams[index].rest = Array(all.suffix(64))
  }

  private static func last(_ text: StaticString, in bytes: [UInt8]) -> Int? {
    let count = text.utf8CodeUnitCount
    guard bytes.count >= count else { return nil }
    return bytes.withUnsafeBufferPointer { all in
      var place = all.count - count
      while place >= 0 {
        if memcmp(all.baseAddress! + place, text.utf8Start, count) == 0 { return place }
        place -= 1
      }
      return nil
    }
  }

  /// Reads until `condition` holds.
  func wait(seconds: Double = 60, until condition: (Subscribers) -> Bool) throws {
    let end = now() + seconds
    while !condition(self) {
      guard now() < end else { throw Failure("timeout: no event within \(seconds) s") }
      read(milliseconds: 100)
    }
  }
}
