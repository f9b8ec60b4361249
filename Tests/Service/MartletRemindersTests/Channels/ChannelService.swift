import Dispatch
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization
import TestSupport
import Testing

@testable import MartletCourier
@testable import MartletReminders

/// Alarms and channels on an injected clock. What is sent is kept, and the test answers.
final class ChannelService: Sendable {
  /// A request that has no answer yet.
  struct Sent: Sendable {
    let request: CourierRequest
    let answer: @Sendable (CourierResult) -> Void
  }

  let database: EmbeddedDatabase
  let time: TestClock
  private let alarms: AlarmScheduler
  private let reader: ChangeReader
  private let scheduler: DeliveryScheduler
  private let events: AsyncStream<Void>
  private let post: Post

  /// The other side: it keeps what is sent, and answers.
  private final class Post: Sendable {
    struct State {
      var open: [Sent] = []
      var all: [CourierRequest] = []
      var errors: [String] = []
      var reply: Reply?
    }
    let state: Mutex<State>
    private let queue = DispatchQueue(label: "answers")

    init(_ reply: Reply?) { state = Mutex(State(reply: reply)) }

    func take(_ request: CourierRequest, _ answer: @escaping @Sendable (CourierResult) -> Void) {
      let sent = Sent(request: request, answer: answer)
      let result = state.withLock { state in
        state.all.append(request)
        let result = state.reply?(request)
        if result == nil { state.open.append(sent) }
        return result
      }
      if let result { send(result, to: [sent]) }
    }

    /// Like the courier, never inside the call.
    func send(_ result: CourierResult, to requests: [Sent]) {
      queue.async { for one in requests { one.answer(result) } }
    }
  }

  /// The answer to a request; `nil` keeps it open.
  typealias Reply = @Sendable (CourierRequest) -> CourierResult?

  init(
    _ file: RemindersFile, at time: TestClock, reply: Reply? = { _ in .answer(204) },
    probe: @escaping DeliveryScheduler.Probe = { _ in }, sendsNothing: Bool = false
  ) throws {
    self.time = time
    let post = Post(reply)
    self.post = post
    var settings = Configuration()
    settings.otherWritersInterval = .milliseconds(5)
    settings.changeTable = RemindersDatabase.changeTable
    database = try EmbeddedDatabase(path: file.path, configuration: settings)
    let (events, happened) = AsyncStream.makeStream(of: Void.self)
    self.events = events
    database.onCommit { _ in happened.yield() }
    let agenda = Agenda(time.clock)
    let failed: @Sendable (any Error) -> Void = { error in
      post.state.withLock { $0.errors.append("\(error)") }
      happened.yield()
    }
    alarms = AlarmScheduler(database, agenda: agenda, failed: failed)
    reader = ChangeReader(database, agenda: agenda, failed: failed)
    scheduler = DeliveryScheduler(
      database, publicURL: "https://todo.example.org", contact: "mailto:operator@example.com",
      sendsNothing: sendsNothing, agenda: agenda,
      send: { request, answer in
        post.take(request, answer)
        happened.yield()
      },
      probe: probe, ended: { _, _ in happened.yield() }, failed: failed)
  }

  deinit { database.close() }

  var sent: [CourierRequest] { post.state.withLock { $0.all } }
  var waiting: [Sent] { post.state.withLock { $0.open } }
  var errors: [String] { post.state.withLock { $0.errors } }

  func answer(with reply: Reply?) { post.state.withLock { $0.reply = reply } }

  /// Answers the open requests to a URL, or all.
  func answer(_ result: CourierResult, to url: String? = nil) {
    let some = post.state.withLock { state in
      let some = state.open.filter { url == nil || $0.request.url == url }
      state.open.removeAll { url == nil || $0.request.url == url }
      return some
    }
    post.send(result, to: some)
  }

  /// Waits until a condition holds. It is checked after each commit and each request. An error of
  /// the service that was not there before ends the test: nothing more may happen after it.
  func wait(_ condition: () throws -> Bool) async throws {
    let known = errors.count
    if try condition() { return }
    for await _ in events {
      if try condition() { return }
      if errors.count > known { throw TestFailure("\(errors)") }
    }
  }

  // Not the asynchronous functions of the database.
  func write<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) throws -> T {
    try database.write(body)
  }
  func read<T>(_ body: (Connection) throws -> T) throws -> T { try database.read(body) }

  func go(to instant: Instant) {
    time.advance(milliseconds: instant.milliseconds(since: time.now))
  }
  func advance(_ seconds: Int64) { time.advance(milliseconds: seconds * 1_000) }

  /// Lets the channels read what has changed, until they have read everything.
  func read() async throws {
    func hasNews() throws -> Bool { try read { try Outbox.hasNews($0) } }
    while try hasNews() {
      time.advance(milliseconds: ChangeReader.pause)
      let version = try marks()
      try await wait { try marks() != version || !hasNews() }
    }
  }

  private func marks() throws -> String {
    try database.read { db in
      try Channel.all.order { $0.id }.fetchAll(db).map { "\($0.version)" }.joined(separator: " ")
    }
  }

  func deliveries(_ channel: Int? = nil) throws -> [Delivery] {
    try database.read { db in
      try Delivery.where { if let channel { $0.channelID == channel } }.order { $0.id }.fetchAll(db)
    }
  }

  func channel(_ id: Int) throws -> Channel {
    try #require(try database.read { try Channel.find(id).fetchOne($0) })
  }

  /// Makes a channel at `https://example.com/ID`.
  @discardableResult
  func make(
    _ kind: ChannelKind = .webhook, events: [String] = ["alarm.ringing"], lists: [Int]? = nil,
    settings: ChannelSettings.Values? = nil
  ) throws -> Int {
    var changes = ChannelRepository.Values()
    changes.name = "c"
    changes.url = "https://example.com/"
    changes.events = events
    changes.lists = lists
    changes.settings = settings
    return try database.write { [time] db in
      let id = try ChannelRepository.create(kind, changes, at: time.now, db)
      try db.execute("UPDATE channels SET url = url || id WHERE id = \(id)")
      return id
    }
  }

  /// Puts a message into the outbox of a channel, and returns the delivery.
  @discardableResult
  func test(_ channel: Int) throws -> Int {
    try database.write { [time] in try ChannelRepository.test(channel, at: time.now, $0) }
  }
}

extension CourierResult {
  static func answer(_ status: Int, retryAfter: Duration? = nil) -> CourierResult {
    CourierResult(.answered(status: status), retryAfter: retryAfter)
  }
  static func failure(_ text: String, _ kind: Failure.Kind = .unanswered) -> CourierResult {
    CourierResult(.failed(Failure(kind, text)))
  }
}
