import Foundation
import MartletSQLite
import TestSupport
import Testing

/// Clients subscribe to random queries while random requests change the data.
///
/// After each step every client has the result of `GET`. No client ever sees a state that the
/// database was not in, or an older state than before.
@Suite("Event streams have the results of GET")
struct LiveOracleTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["MARTLET_ROUNDS"].flatMap(Int.init) ?? 400

  /// The state of a query that a client has assembled from results and deltas.
  private struct Followed {
    let name: String
    let target: String
    var state: Any?
    var tag: String?
  }

  private struct Client {
    let stream: Int
    let isBundle: Bool
    var queries: [Followed]
    var seen = 0
  }

  @Test(
    "Streams of one and of several queries, as results and as deltas",
    arguments: [1, 2, 3] as [UInt64])
  func random(_ seed: UInt64) throws {
    let service = try RemindersService()
    var http = try service.client()
    var plain = try service.plainClient()
    var traffic = RandomTraffic(random: SeededRandom(seed: seed))
    for _ in 0..<30 { try send(traffic.change(), http) }
    let streams = StreamClient(port: service.port)
    let other = try Connection(location: .file(service.path))
    other.setBusyTimeout(.seconds(2))
    var clients: [Client] = []
    for round in 0..<Self.rounds {
      // The number of requests per connection is limited.
      http = try service.client()
      plain = try service.plainClient()
      while clients.count < 12 { clients.append(try open(&traffic, streams)) }
      var story: [String] = []
      var states = try snapshot(clients, plain).map { [$0] }
      for _ in 0..<Int.random(in: 1...3, using: &traffic.random) {
        if traffic.random.once(in: 12) {
          let change = traffic.foreignChange()
          story.append(change)
          try other.execute("PRAGMA foreign_keys = ON; \(change)")
        } else {
          let change = traffic.change()
          story.append("\(change.method) \(change.target) \(change.body ?? "")")
          try send(change, http)
        }
        for (index, state) in try snapshot(clients, plain).enumerated() {
          states[index].append(state)
        }
      }
      let label = "seed \(seed), round \(round): \(story)"
      var gone: Set<Int> = []
      for index in clients.indices {
        try follow(&clients[index], streams, states[index], &gone, index, label)
      }
      // Sometimes a client disconnects. A new one may subscribe to the same query.
      if traffic.random.once(in: 3) {
        gone.insert(Int.random(in: clients.indices, using: &traffic.random))
      }
      for index in gone.sorted(by: >) {
        streams.close(clients[index].stream)
        clients.remove(at: index)
      }
    }
  }

  private func send(
    _ change: (method: String, target: String, body: String?), _ http: RawClient
  ) throws {
    let response = try http.request(change.method, change.target, body: change.body)
    #expect(response.status < 500, "\(change): \(response.text)")
  }

  private func open(_ traffic: inout RandomTraffic, _ streams: StreamClient) throws -> Client {
    let wantsDeltas = traffic.random.once(in: 2)
    if traffic.random.once(in: 3) {
      let queries = (0..<Int.random(in: 1...4, using: &traffic.random)).map {
        Followed(name: "q\($0)", target: traffic.query())
      }
      var allowed = CharacterSet.alphanumerics
      allowed.insert(charactersIn: "-._~/")
      let parameters = queries.map {
        "\($0.name)=\($0.target.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
      }
      let target =
        "/v1/live?" + parameters.joined(separator: "&") + (wantsDeltas ? "&deltas=true" : "")
      return Client(stream: try streams.open(target), isBundle: true, queries: queries)
    }
    let target = traffic.query()
    let joined =
      target + (wantsDeltas ? target.contains("?") ? "&deltas=true" : "?deltas=true" : "")
    return Client(
      stream: try streams.open(joined), isBundle: false,
      queries: [Followed(name: "", target: target)])
  }

  /// The results of `GET` for the queries of a client: ETag and state, or `nil` for a 404.
  private typealias Snapshot = [(tag: String?, state: Any?)]

  private func snapshot(_ clients: [Client], _ http: RawClient) throws -> [Snapshot] {
    var known: [String: (tag: String?, state: Any?)] = [:]
    return try clients.map { client in
      try client.queries.map { query in
        if let state = known[query.target] { return state }
        let response = try http.get(query.target)
        try #require(
          response.status == 200 || response.status == 404,
          "\(query.target): \(response.status) \(response.text)")
        let state: (String?, Any?) =
          response.status == 404 ? (nil, nil) : (response["ETag"], response.json)
        known[query.target] = state
        return state
      }
    }
  }

  /// Reads events until the client has the last of the states, and checks each event on the way.
  private func follow(
    _ client: inout Client, _ streams: StreamClient, _ states: [Snapshot], _ gone: inout Set<Int>,
    _ index: Int, _ label: String
  ) throws {
    let wanted = try #require(states.last)
    var place = 0
    if client.seen == 0 {
      // An item that was deleted since the stream was opened: its first event is still to come.
      _ = streams.wait { [stream = client.stream] in
        !$0[stream].events.isEmpty || $0[stream].response?.status == 404
      }
    }
    while true {
      let isThere = zip(client.queries, wanted).allSatisfy { $0.tag == $1.tag }
      if isThere, client.seen == streams.streams[client.stream].events.count { break }
      let response = streams.streams[client.stream].response
      // A missing resource has no stream.
      if let response, response.status == 404 {
        gone.insert(index)
        return
      }
      guard let event = streams.event(client.stream, after: client.seen, within: 20) else {
        if streams.streams[client.stream].response?.status == 404 {
          gone.insert(index)
          return
        }
        Issue.record(
          "\(label): \(client.queries.map(\.target)) was not told of \(wanted.map(\.tag))")
        return
      }
      client.seen += 1
      try take(event, &client, label)
      if event.event == "gone" {
        #expect(wanted[0].tag == nil || states.contains { $0[0].tag == nil }, "\(label)")
        gone.insert(index)
        return
      }
      // The first state, not older than the previous one, that matches the client's state.
      let next = (place..<states.count).first { place in
        zip(client.queries, states[place]).allSatisfy { query, state in query.tag == state.tag }
      }
      #expect(
        next != nil, "\(label): \(client.queries.map(\.target)) was in no such state: \(event)")
      place = next ?? place
      for (query, state) in zip(client.queries, states[place]) {
        let isSame = (query.state as? NSDictionary) == (state.state as? NSDictionary)
        #expect(isSame, "\(label): \(query.target) is \(String(describing: query.state))")
      }
    }
  }

  private func take(_ event: StreamEvent, _ client: inout Client, _ label: String) throws {
    switch event.event {
    case "result" where client.isBundle:
      let tags = try #require(event.id).split(separator: ".", omittingEmptySubsequences: false)
      for index in client.queries.indices {
        let name = client.queries[index].name
        client.queries[index].tag =
          ["-", "gone"].contains(tags[index]) ? nil : "\"\(tags[index])\""
        guard let part = event.json[name] else { continue }
        if part is NSNull {
          client.queries[index].state = nil
        } else if let part = part as? [String: Any] {
          client.queries[index].state = Deltas.apply(part, to: client.queries[index].state)
        }
      }
    case "result":
      client.queries[0].state = event.json
      client.queries[0].tag = event.id
    case "delta":
      client.queries[0].state = Deltas.apply(event.json, to: client.queries[0].state)
      client.queries[0].tag = event.id
    case "gone": break
    default: Issue.record("\(label): \(event)")
    }
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
