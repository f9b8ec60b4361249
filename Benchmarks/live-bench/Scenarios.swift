import Glibc

/// Whether each scenario runs with few clients and writes, which measures nothing but tells whether
/// all events arrive.
let isCheck = CommandLine.arguments.contains("--check")

/// The first value, or the second one with `--check`.
private func many<T>(_ value: T, orFew few: T) -> T { isCheck ? few : value }

/// Measures one query with many subscribers: from the write until the last subscriber has the
/// event.
func fanout() throws {
  header(
    "subscribers of one query", "write to last event, p50 ms", "p99 ms", "server CPU per write, ms")
  for count in many([1_000, 5_000, 15_000], orFew: [50]) {
    let followed = try Followed(count)
    defer { followed.server.stop() }
    let subscribers = followed.subscribers
    var latencies: [Double] = []
    var costs: [Double] = []
    for number in 1...many(40, orFew: 5) {
      let before = followed.server.processorTime
      let start = now()
      _ = try followed.write(number)
      try subscribers.wait { $0.streams.allSatisfy { $0.tick >= number } }
      latencies.append((subscribers.streams.map(\.last).max() ?? 0) - start)
      usleep(50_000)
      costs.append(followed.server.processorTime - before)
    }
    row(
      "\(count)", percentile(latencies, 0.5).milliseconds, percentile(latencies, 0.99).milliseconds,
      mean(costs).milliseconds)
  }
}

private func firstID(_ client: HTTPClient, _ target: String) throws -> Int {
  let text = try client.request("GET", target)
  guard let range = text.firstRange(of: #""id":"#) else { throw Failure("no item at \(target)") }
  return Int(text[range.upperBound...].prefix { $0.isNumber }) ?? 0
}

/// The IDs of all items of a collection, read page by page.
private func ids(_ client: HTTPClient, _ target: String) throws -> [Int] {
  var ids: [Int] = []
  var cursor = ""
  repeat {
    let text = try client.request("GET", "\(target)?limit=500\(cursor)")
    for piece in text.split(separator: "{\"id\":").dropFirst() {
      ids.append(Int(piece.prefix { $0.isNumber }) ?? 0)
    }
    let next = text.split(separator: "\"nextCursor\":\"").dropFirst().first
    cursor = next.map { "&cursor=\($0.prefix { $0 != "\"" })" } ?? ""
  } while !cursor.isEmpty
  return ids
}

/// Measures ten thousand different queries of one row each, with ten thousand row updates a second.
func distinct() throws {
  let server = try Server(lists: 10, reminders: many(10_000, orFew: 100))
  defer { server.stop() }
  let writer = try HTTPClient(port: server.port)
  var lists: [[Int]] = []
  var owners: [Int] = []
  for list in try ids(writer, "/v1/lists") {
    let found = try ids(writer, "/v1/lists/\(list)/reminders")
    if found.isEmpty { continue }
    lists.append(found)
    owners.append(list)
  }
  let all = lists.flatMap { $0 }
  let places = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1, $0) })
  let subscribers = Subscribers(port: server.port)
  subscribers.reads = false
  for id in all { try subscribers.open("/v1/reminders/\(id)") }
  try subscribers.wait { $0.streams.allSatisfy { $0.events >= 2 } }
  var latencies: [Double] = []
  var pending: [(sent: Double, streams: [Int])] = []
  var updates = 0
  let rounds = many(10, orFew: 2)
  let before = server.processorTime
  let start = now()
  for round in 0..<rounds {
    for list in lists.indices {
      let begin = start + Double(round) + Double(list) / Double(lists.count)
      while now() < begin { subscribers.read(milliseconds: Int32(max(1, (begin - now()) * 1000))) }
      // Every position shifts by one.
      lists[list].append(lists[list].removeFirst())
      let order = lists[list].map(String.init).joined(separator: ",")
      let sent = now()
      try writer.request("PUT", "/v1/lists/\(owners[list])/reminders/order", "{\"ids\":[\(order)]}")
      updates += lists[list].count
      pending.append((sent, lists[list].compactMap { places[$0] }))
      settle(subscribers, &pending, &latencies)
    }
  }
  let end = now() + 60
  while !pending.isEmpty {
    guard now() < end else { throw Failure("timeout: some events of a write did not arrive") }
    subscribers.read(milliseconds: 10)
    settle(subscribers, &pending, &latencies)
  }
  let seconds = now() - start
  header("different queries", "row updates/s", "write to event, mean ms", "p99 ms", "server CPU")
  row(
    "\(all.count)", (Double(updates) / seconds).shown(0), mean(latencies).milliseconds,
    percentile(latencies, 0.99).milliseconds,
    ((server.processorTime - before) / seconds * 100).shown(0) + " %")
}

/// Removes the writes whose events have reached all subscribers, and appends their latencies.
private func settle(
  _ subscribers: Subscribers, _ pending: inout [(sent: Double, streams: [Int])],
  _ latencies: inout [Double]
) {
  pending.removeAll { write in
    let isDone = write.streams.allSatisfy { subscribers.streams[$0].last >= write.sent }
    if isDone { latencies += write.streams.map { subscribers.streams[$0].last - write.sent } }
    return isDone
  }
}

/// Measures the cost of a write while other queries are open that it does not affect.
func commitCost() throws {
  header("open queries", "write to event, p50 ms", "p99 ms", "server CPU per write, ms")
  for count in many([1, 100, 1_000, 10_000], orFew: [1, 10]) {
    let server = try Server(
      lists: many(10_001, orFew: 51), reminders: many(20_002, orFew: 102))
    defer { server.stop() }
    let writer = try HTTPClient(port: server.port)
    let lists = try ids(writer, "/v1/lists").dropFirst().prefix(count)
    let subscribers = Subscribers(port: server.port)
    for list in lists { try subscribers.open("/v1/lists/\(list)/reminders") }
    try subscribers.wait { $0.streams.allSatisfy { $0.events >= 2 } }
    let written = try firstID(writer, "/v1/lists/\(lists.first ?? 0)/reminders?limit=1")
    sleep(1)
    var latencies: [Double] = []
    let before = server.processorTime
    let writes = many(200, orFew: 10)
    for number in 1...writes {
      let start = now()
      try writer.request("PATCH", "/v1/reminders/\(written)", tick(number))
      try subscribers.wait { $0.streams[0].tick >= number }
      latencies.append(subscribers.streams[0].last - start)
    }
    let cost = (server.processorTime - before) / Double(writes)
    row(
      "\(count)", percentile(latencies, 0.5).milliseconds, percentile(latencies, 0.99).milliseconds,
      cost.milliseconds)
  }
}

/// Measures the memory of an idle stream.
func memory() throws {
  let server = try Server(lists: 10, reminders: 1_000)
  defer { server.stop() }
  let subscribers = Subscribers(port: server.port)
  subscribers.reads = false
  try subscribers.open("/v1/lists/3/reminders?limit=10")
  try subscribers.wait { $0.streams[0].events >= 2 }
  let before = server.memory
  let count = many(10_000, orFew: 100)
  for _ in 0..<count { try subscribers.open("/v1/lists/3/reminders?limit=10") }
  try subscribers.wait { $0.streams.allSatisfy { $0.events >= 2 } }
  sleep(1)
  let after = server.memory
  header("idle streams", "resident before, KiB", "with them", "KiB per stream")
  row("\(count)", "\(before)", "\(after)", (Double(after - before) / Double(count)).shown(2))
}

/// Measures ten thousand subscribers that reconnect at once with the event ID they had.
func storm() throws {
  header("reconnects", "queries", "until all are current, s", "server CPU, s")
  for queries in many([1, 1_000], orFew: [1, 10]) {
    let server = try Server(
      lists: many(1_001, orFew: 11), reminders: many(10_010, orFew: 110))
    defer { server.stop() }
    let lists = try ids(try HTTPClient(port: server.port), "/v1/lists").dropFirst().prefix(queries)
    let targets = lists.map { "/v1/lists/\($0)/reminders" }
    let subscribers = Subscribers(port: server.port)
    for target in targets { try subscribers.open(target) }
    try subscribers.wait { $0.streams.allSatisfy { $0.events >= 2 } }
    let ids = subscribers.streams.map(\.id)
    subscribers.closeAll()
    usleep(500_000)
    subscribers.reads = false
    let before = server.processorTime
    let start = now()
    let reconnects = many(10_000, orFew: 100)
    for number in 0..<reconnects {
      try subscribers.open(
        targets[number % targets.count], lastEventID: ids[number % targets.count])
    }
    try subscribers.wait { $0.streams.allSatisfy { $0.events >= 2 } }
    row(
      "\(reconnects)", "\(targets.count)", (now() - start).shown(2),
      (server.processorTime - before).shown(2))
  }
}

/// Measures whether subscribers slow down the writer, alternating with a server without
/// subscribers.
func writeLatency() throws {
  header("subscribers of the query that is written to", "write p50 ms", "p90 ms", "p99 ms")
  let alone = try Followed(0)
  defer { alone.server.stop() }
  let count = many(5_000, orFew: 50)
  let followed = try Followed(count)
  defer { followed.server.stop() }
  var times: [[Double]] = [[], []]
  for number in 1...many(300, orFew: 5) {
    for (place, one) in [alone, followed].enumerated() {
      times[place].append(try one.write(number))
      let end = now() + 0.1
      while now() < end { followed.subscribers.read(milliseconds: 5) }
    }
  }
  for (count, times) in zip([0, count], times) {
    row(
      "\(count)", percentile(times, 0.5).milliseconds, percentile(times, 0.9).milliseconds,
      percentile(times, 0.99).milliseconds)
  }
}

/// A server, subscribers of one of its queries, and a client that writes to a row of the result.
private struct Followed {
  let server: Server
  let subscribers: Subscribers
  private let writer: HTTPClient
  private let written: Int

  init(_ count: Int) throws {
    server = try Server(lists: 10, reminders: 1_000)
    subscribers = Subscribers(port: server.port)
    for _ in 0..<count { try subscribers.open("/v1/lists/3/reminders?limit=10") }
    try subscribers.wait { $0.streams.allSatisfy { $0.events >= 2 } }
    writer = try HTTPClient(port: server.port)
    written = try firstID(writer, "/v1/lists/3/reminders?limit=1")
  }

  /// Writes once and returns the seconds until the response.
  func write(_ number: Int) throws -> Double {
    let start = now()
    try writer.request("PATCH", "/v1/reminders/\(written)", tick(number))
    return now() - start
  }
}
