import MartletJSON
import MartletLiveAPI
import MartletStore
import MartletTime
import Synchronization

/// A service that runs inside a test: on a free port of 127.0.0.1, with a database file in a
/// temporary folder.
///
/// ```swift
/// let service = try TestService(Rooms.service)
/// let created = try service.post("/rooms", #"{"name": "Attic"}"#)
/// #expect(created.status == 201)
///
/// let rooms = try service.stream("/rooms")
/// try rooms.next()
/// _ = try service.post("/rooms", #"{"name": "Cellar"}"#)
/// #expect(try rooms.next().value["items"]?[1]?["name"]?.string == "Cellar")
/// ```
///
/// The service ends with the object. Each request has a connection of its own. Requests block the
/// thread; in `async` code the `async` forms are called, which do not. The tasks of `Route.async`
/// and of schedules have threads of their own, so they run while tests block. A test that starts
/// other tasks, and waits for their effects, should be `async`.
public final class TestService: Sendable {
  /// The service with its database and live queries. The closure of `Service.run` is not called:
  /// a test of background tasks passes this to the function that starts them.
  public let running: RunningService
  /// The port on 127.0.0.1.
  public let port: UInt16
  /// Sent as `Authorization: Bearer …` with every request that does not name another key.
  public var key: String? {
    get { currentKey.withLock { $0 } }
    set { currentKey.withLock { $0 = newValue } }
  }
  private let currentKey: Mutex<String?>
  private let folder: TemporaryFolder
  private let clock: MartletTime.Clock

  /// Migrates, opens and starts a copy of `service`. Its path, host and port are replaced; what it
  /// logs goes where `Service.onEvent` says.
  public init(_ service: Service, key: String? = nil) throws {
    currentKey = Mutex(key)
    folder = try TemporaryFolder()
    var service = service
    service.path = folder.file("test.db")
    service.server.host = "127.0.0.1"
    service.server.port = 0
    // What the clients of this library send as Host.
    service.server.allowedHosts?.append("localhost")
    service.api.taskExecutor = TestThreads.shared
    clock = service.clock
    running = try service.open()
    port = try running.start()
  }

  deinit {
    running.server.stop()
    running.close()
  }

  /// The path of the database file, for a second program such as `sqlite3`.
  public var path: String { folder.file("test.db") }

  /// The database, to read and write beside the requests.
  public var database: any ServerDatabase { running.database }

  /// Creates an API key and returns its text. The service has to have `Service.keys`.
  public func createKey(
    _ name: String, _ rights: Rights, expiresAt: Instant? = nil
  ) throws -> String {
    try database.write { db in
      try APIKeys.create(name, rights, expiresAt: expiresAt, now: clock.now(), in: db).text
    }
  }

  /// Sends a request and returns its response.
  public func request(
    _ method: String, _ target: String, _ fields: [(String, String)] = [], body: String? = nil
  ) throws -> TestResponse {
    try TestClient(port: port).request(method, target, authorized(fields), body: body)
  }

  /// Sends a `GET` and returns its response.
  public func get(_ target: String, _ fields: [(String, String)] = []) throws -> TestResponse {
    try request("GET", target, fields)
  }

  /// Sends a `POST` and returns its response.
  public func post(
    _ target: String, _ body: String = "", _ fields: [(String, String)] = []
  ) throws -> TestResponse {
    try request("POST", target, fields, body: body)
  }

  /// Sends a `PUT` and returns its response.
  public func put(
    _ target: String, _ body: String = "", _ fields: [(String, String)] = []
  ) throws -> TestResponse {
    try request("PUT", target, fields, body: body)
  }

  /// Sends a `PATCH` and returns its response.
  public func patch(
    _ target: String, _ body: String = "", _ fields: [(String, String)] = []
  ) throws -> TestResponse {
    try request("PATCH", target, fields, body: body)
  }

  /// Sends a `DELETE` and returns its response.
  public func delete(_ target: String, _ fields: [(String, String)] = []) throws -> TestResponse {
    try request("DELETE", target, fields)
  }

  /// Follows a `GET` as an event stream.
  public func stream(
    _ target: String, _ fields: [(String, String)] = []
  ) throws -> TestStream {
    try TestStream(self, target, authorized(fields))
  }

  func authorized(_ fields: [(String, String)]) -> [(String, String)] {
    guard let key, !fields.contains(where: { $0.0.lowercased() == "authorization" }) else {
      return fields
    }
    return fields + [("Authorization", "Bearer \(key)")]
  }
}

/// One event stream of a ``TestService``, read by one thread.
public final class TestStream {
  /// Keeps the service running as long as the stream exists.
  private let service: TestService
  private let target: String
  private let client: StreamClient
  private var count = 0
  /// The result after the last event that `next(within:)` returned.
  public private(set) var result = StreamedResult()

  init(_ service: TestService, _ target: String, _ fields: [(String, String)]) throws {
    self.service = service
    self.target = target
    client = StreamClient(port: service.port)
    try client.open(target, fields)
  }

  /// Waits for the next event. Throws a ``TestFailure`` if none comes within `seconds`, or when the
  /// stream was refused. It names the line of the call.
  @discardableResult
  public func next(
    within seconds: Double = Deadline.hang, file: StaticString = #fileID, line: UInt = #line
  ) throws -> StreamEvent {
    try waitForNext(seconds, Caller(file: file, line: line))
  }

  /// The line of a test that waits.
  struct Caller {
    let file: StaticString
    let line: UInt

    func failure(_ text: String) -> TestFailure { TestFailure("\(file):\(line): \(text)") }
  }

  func waitForNext(_ seconds: Double, _ caller: Caller) throws -> StreamEvent {
    var isRefused = false
    _ = client.wait(within: seconds) { streams in
      isRefused = streams[0].response.map { $0.status != 200 } ?? false
      return isRefused || streams[0].events.count > count
    }
    let stream = client.streams[0]
    if isRefused {
      throw caller.failure(
        "the stream \(target) was refused with status \(stream.response?.status ?? 0)")
    }
    guard stream.events.count > count else {
      let value = result.value.map { String($0.description.prefix(500)) } ?? "nothing"
      let last = stream.last.map { "\($0.event) \($0.data.prefix(500))" } ?? "nothing"
      throw caller.failure(
        stream.hasEnded
          ? "the stream \(target) ended; its last event is \(last)"
          : "the stream \(target) sent no further event within \(seconds) s; its result is \(value)"
      )
    }
    let event = stream.events[count]
    count += 1
    try result.apply(event)
    return event
  }

  /// Waits until the result fulfills `condition` and returns it. States in between may be skipped
  /// by the server.
  @discardableResult
  public func wait(
    within seconds: Double = Deadline.hang, file: StaticString = #fileID, line: UInt = #line,
    until condition: (JSONValue) throws -> Bool
  ) throws -> JSONValue {
    try waitForResult(seconds, Caller(file: file, line: line), condition)
  }

  func waitForResult(
    _ seconds: Double, _ caller: Caller, _ condition: (JSONValue) throws -> Bool
  ) throws -> JSONValue {
    let deadline = Deadline(seconds)
    while true {
      if let value = result.value, try condition(value) { return value }
      _ = try waitForNext(Double(max(deadline.milliseconds, 1)) / 1000, caller)
    }
  }

  /// Whether the server has closed the stream.
  public var hasEnded: Bool {
    _ = client.wait(within: 0, until: { _ in false })
    return client.streams[0].hasEnded
  }

  /// Closes the connection.
  public func close() { client.close(0) }
}
