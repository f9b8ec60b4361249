import Dispatch
import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletStore
import MartletTime

/// The position of one stream in the queries of its bundle.
final class BundleSubscriber: EventSource {
  private let channel: BundleChannel
  private let access: Access
  private var positions: [StreamPosition]
  private let wantsDeltas: Bool
  private let streams: LiveStreams
  private var waitsSince: UInt64?
  private var isResuming: Bool
  /// Problems of queries, which are sent one by one.
  private var problems: [EventFrame] = []

  init(
    _ channel: BundleChannel, _ positions: [StreamPosition], wantsDeltas: Bool, isResuming: Bool,
    _ access: Access, _ streams: LiveStreams
  ) {
    self.channel = channel
    self.access = access
    self.positions = positions
    self.wantsDeltas = wantsDeltas
    self.isResuming = isResuming
    self.streams = streams
  }

  func next() -> EventStream.Next {
    if access.isEnded { return Goodbye.ended }
    if !problems.isEmpty { return .send(problems.removeFirst()) }
    let channels = channel.members.map(\.membership.channel)
    // Prefer states that belong together. A state from a read that began between two commits, or
    // that ran while a slow query was still running, may lack the states of other queries for the
    // same commit. A missing state wakes the stream again after its batch of refreshes.
    let runs = streams.live.consistentRuns(of: channels.compactMap(\.place))
    let published = channels.map(\.published)
    if let runs {
      guard published.map({ $0?.state.run }) == runs.map(Optional.some) else { return .wait }
    } else if waitsOn() || published.contains(where: { $0 == nil }) {
      return .wait
    }
    waitsSince = nil
    return event(published)
  }

  /// Under constant commits a slow query would always lag behind, so the stream waits only for a
  /// limited time.
  private func waitsOn() -> Bool {
    let now = DispatchTime.now().uptimeNanoseconds
    let start = waitsSince ?? now
    waitsSince = start
    return now - start < streams.context.settings.bundleTimeout.wholeNanoseconds
  }

  private func event(_ published: [LiveChannel.Published?]) -> EventStream.Next {
    let data = ByteBuffer(capacity: 1024)
    var isEmpty = true
    func begin(_ name: String) {
      data.append(UInt8(ascii: isEmpty ? "{" : ","))
      isEmpty = false
      JSONWriter.string(name, into: data)
      data.append(UInt8(ascii: ":"))
    }
    for (index, member) in channel.members.enumerated() {
      switch positions[index].next(published[index]?.state) {
      case .wait, .unchanged, .current: break
      case .gone:
        begin(member.name)
        data.append("null")
      case .result(let result, let before):
        begin(member.name)
        write(result, after: before, published[index], to: data)
      case .problem:
        if let problem = published[index]?.problem {
          problems.append(problem.event(query: member.name))
        }
      }
    }
    defer { isResuming = false }
    if isEmpty {
      if !problems.isEmpty { return .send(problems.removeFirst()) }
      // A client that resumed with the current states receives one event that says so.
      return isResuming
        ? .send(Event.frame(id: id, event: "current", data: "{}")) : .wait
    }
    data.append(UInt8(ascii: "}"))
    return .send(Event.frame(id: id, event: "result", data: data.bytes))
  }

  private func write(
    _ result: LiveResult, after before: ETag?, _ published: LiveChannel.Published?,
    to data: ByteBuffer
  ) {
    guard wantsDeltas else {
      data.append(result.body.bytes)
      return
    }
    if let before, let delta = published?.delta, delta.base == before {
      data.append(delta.change.bytes)
      return
    }
    data.append("{\"result\":")
    data.append(result.body.bytes)
    data.append(UInt8(ascii: "}"))
  }

  /// The states that the client has after this event, one for each query in the order of the URL.
  private var id: String {
    positions.map { position in
      if position.isGone { return BundleRequest.absence }
      return position.held.map { String($0.description.dropFirst().dropLast()) } ?? "-"
    }.joined(separator: ".")
  }
}
