import Foundation
import Glibc

/// A client of an event stream, with the states of its queries as the events describe them.
///
/// A test compares them with what `GET` gave. No client ever sees a state that the database was not
/// in, or an older state than before, and in the end each has the last state.
public struct FollowedStream {
  /// What `GET` gives for a query: the ETag and the body, or `nil` for a 404.
  public typealias Result = (tag: String?, state: Any?)

  private struct Query {
    let name: String
    let target: String
    var state: Any?
    var tag: String?
  }

  private let target: String
  private let isBundle: Bool
  private var queries: [Query]
  private var streams: StreamClient
  private var stream: Int
  private var seen = 0
  /// The ID of the last event.
  private var last: String?
  /// The result that the client has, and the later ones. It may have the last one and be told of
  /// those between later, if they are equal.
  private var results: [[Result]] = []
  /// Whether the stream has ended because its resource is gone.
  public private(set) var isGone = false

  /// Opens a stream of one random query, or of several, with results or with deltas.
  public init(_ traffic: inout RandomTraffic, _ streams: StreamClient) throws {
    let wantsDeltas = traffic.random.once(in: 2)
    isBundle = traffic.random.once(in: 3)
    if isBundle {
      queries = (0..<Int.random(in: 1...4, using: &traffic.random)).map {
        Query(name: "q\($0)", target: traffic.query())
      }
      var allowed = CharacterSet.alphanumerics
      allowed.insert(charactersIn: "-._~/")
      let parameters = queries.map {
        "\($0.name)=\($0.target.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
      }
      target = "/v1/live?" + parameters.joined(separator: "&") + (wantsDeltas ? "&deltas=true" : "")
    } else {
      queries = [Query(name: "", target: traffic.query())]
      let separator = queries[0].target.contains("?") ? "&" : "?"
      target = queries[0].target + (wantsDeltas ? "\(separator)deltas=true" : "")
    }
    self.streams = streams
    stream = try streams.open(target)
  }

  /// Closes the stream.
  public func close() { streams.close(stream) }

  /// What `GET` gives now for the queries of each client.
  public static func results(
    _ clients: [FollowedStream], get: (String) throws -> RawResponse
  ) throws -> [[Result]] {
    var known: [String: Result] = [:]
    return try clients.map { client in
      try client.queries.map { query in
        if let result = known[query.target] { return result }
        let response = try get(query.target)
        guard [200, 404].contains(response.status) else {
          throw client.failure("\(query.target): \(response.status) \(response.text)")
        }
        let result: Result =
          response.status == 404 ? (nil, nil) : (response["ETag"], response.json)
        known[query.target] = result
        return result
      }
    }
  }

  /// Reads events until the client has the last of the results, and checks each event on the way.
  ///
  /// `reconnect` is called when the stream has ended, as it may where servers are killed.
  public mutating func follow(
    _ results: [[Result]], reconnect: (() throws -> StreamClient)? = nil
  ) throws {
    for result in results where self.results.last.map({ Self.areEqual($0, result) }) != true {
      self.results.append(result)
    }
    guard let wanted = self.results.last else { return }
    let deadline = Deadline(20)
    while !isGone {
      // The first event is still to come, also if it says the state before the last one.
      let isThere = matches(wanted) && (seen > 0 || last != nil)
      if isThere, seen == current.events.count, !needsConnection { return }
      _ = streams.wait(within: Double(deadline.milliseconds) / 1000) { [stream, seen] in
        $0[stream].events.count > seen || $0[stream].hasEnded
          || $0[stream].response.map { $0.status != 200 } == true
      }
      if current.events.count > seen {
        let event = current.events[seen]
        seen += 1
        last = event.id ?? last
        // A busy server may end a stream before the first state.
        if event.event == "bye" { continue }
        try take(event)
        try check(event)
      } else if current.response?.status == 404 {
        // A missing resource has no stream.
        isGone = true
      } else if needsConnection, let reconnect, !deadline.isOver {
        try connect(reconnect)
      } else {
        throw failure("it was not told of \(wanted.map(\.tag)): \(current)")
      }
    }
    // Of several queries some may be gone. Of one, the resource is missing.
    if !isBundle, !self.results.contains(where: { $0[0].tag == nil }) {
      throw failure("it ended, and its resource is there")
    }
  }

  private var current: StreamClient.Stream { streams.streams[stream] }

  private var needsConnection: Bool {
    current.hasEnded || current.response.map { ![200, 404].contains($0.status) } == true
  }

  private mutating func connect(_ reconnect: () throws -> StreamClient) throws {
    // A server that has just started may refuse it.
    if let response = current.response, response.status != 200 { usleep(20_000) }
    close()
    streams = try reconnect()
    stream = try streams.open(target, last.map { [("Last-Event-ID", $0)] } ?? [])
    seen = 0
  }

  private func matches(_ results: [Result]) -> Bool {
    zip(queries, results).allSatisfy { $0.tag == $1.tag }
  }

  private static func areEqual(_ one: [Result], _ other: [Result]) -> Bool {
    zip(one, other).allSatisfy { $0.tag == $1.tag }
  }

  /// Moves on to the result that the client has after an event.
  private mutating func check(_ event: StreamEvent) throws {
    if isGone { return }
    guard let next = results.firstIndex(where: matches) else {
      throw failure("it was in no such state: \(event); states: \(results.map { $0.map(\.tag) })")
    }
    results.removeFirst(next)
    for (query, result) in zip(queries, results[0])
    where (query.state as? NSDictionary) != (result.state as? NSDictionary) {
      throw failure("\(query.target) is \(String(describing: query.state))")
    }
  }

  private mutating func take(_ event: StreamEvent) throws {
    switch event.event {
    case "result" where isBundle:
      let tags = (event.id ?? "").split(separator: ".", omittingEmptySubsequences: false)
      guard tags.count == queries.count else { throw failure("\(event)") }
      for index in queries.indices {
        queries[index].tag = ["-", "gone"].contains(tags[index]) ? nil : "\"\(tags[index])\""
        guard let part = event.json[queries[index].name] else { continue }
        queries[index].state = (part as? [String: Any]).flatMap {
          Deltas.apply($0, to: queries[index].state)
        }
      }
    case "result": (queries[0].state, queries[0].tag) = (event.json, event.id)
    case "delta":
      queries[0].state = Deltas.apply(event.json, to: queries[0].state)
      queries[0].tag = event.id
    case "gone": isGone = true
    default: throw failure("\(event)")
    }
  }

  private func failure(_ text: String) -> ChildProcess.Failure {
    ChildProcess.Failure(description: "\(target): \(text)")
  }
}

/// Applies deltas as a client does.
private enum Deltas {
  /// Applies a delta, `{"result": …}`, or a result to a state.
  static func apply(_ change: [String: Any], to state: Any?) -> Any? {
    if let result = change["result"] as? [String: Any] { return result }
    guard change["ops"] != nil || change["set"] != nil, var object = state as? [String: Any] else {
      return change
    }
    if let operations = change["ops"] as? [[Any]], var rows = object["items"] as? [[String: Any]] {
      for operation in operations { apply(operation, to: &rows) }
      object["items"] = rows
    }
    for (name, value) in change["set"] as? [String: Any] ?? [:] { object[name] = value }
    return object
  }

  private static func apply(_ operation: [Any], to rows: inout [[String: Any]]) {
    func place(_ key: Any) -> Int? {
      rows.firstIndex { row in
        guard let own = row["id"] ?? row["title"] else { return false }
        return (own as? NSObject) == (key as? NSObject)
      }
    }
    func place(after key: Any) -> Int { key is NSNull ? 0 : (place(key) ?? -1) + 1 }
    switch operation[0] as? String {
    case "-": if let index = place(operation[1]) { rows.remove(at: index) }
    case "+":
      if let row = operation[2] as? [String: Any] {
        rows.insert(row, at: place(after: operation[3]))
      }
    case "~":
      if let index = place(operation[1]) {
        for (name, value) in operation[2] as? [String: Any] ?? [:] { rows[index][name] = value }
      }
    case ">":
      if let index = place(operation[1]) {
        let row = rows.remove(at: index)
        rows.insert(row, at: place(after: operation[2]))
      }
    default: break
    }
  }
}
