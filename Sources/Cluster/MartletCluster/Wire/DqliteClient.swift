import Glibc

/// The requests to a dqlite node that this program makes.
final class DqliteClient: Sendable {
  /// A member of the cluster, as dqlite knows it.
  struct Member: Equatable {
    /// Voters have a part in majorities, spares have none of the log's content.
    enum Role: UInt64 { case voter = 0, standby = 1, spare = 2 }
    let id: UInt64
    let address: String
    let role: Role
  }

  /// A prepared statement.
  struct Statement { fileprivate let id: UInt32 }

  private let connection: WireConnection
  var address: String { connection.address }

  init(to address: String, timeout: Duration) throws(ClusterError) {
    connection = try WireConnection(to: address, timeout: timeout)
  }

  /// Repeats a request while the log is busy, which it says without having done anything.
  @discardableResult
  static func persist<T>(
    until deadline: ContinuousClock.Instant = .now + PrimaryLog.patience,
    _ body: () throws(ClusterError) -> T
  ) throws(ClusterError) -> T {
    while true {
      do throws(ClusterError) { return try body() } catch  where error.isBusy {
        guard ContinuousClock.now < deadline else { throw error }
        usleep(1_000)
      }
    }
  }

  // MARK: The cluster

  /// The address of the leader that the node knows; `nil` during an election.
  func leader() throws(ClusterError) -> String? {
    var request = WireRequest(.leader)
    request.number(0)
    var answer = try connection.call(request, .node)
    _ = try answer.number()
    let address = try answer.text()
    return address.isEmpty ? nil : address
  }

  /// The members, as the leader knows them.
  func members() throws(ClusterError) -> [Member] {
    var request = WireRequest(.cluster)
    request.number(1)
    var answer = try connection.call(request, .nodes)
    var members: [Member] = []
    for _ in 0..<(try answer.number()) {
      let id = try answer.number()
      let address = try answer.text()
      guard let role = Member.Role(rawValue: try answer.number()) else {
        throw .violation("an unknown role of node \(id)")
      }
      members.append(Member(id: id, address: address, role: role))
    }
    return members
  }

  /// Adds a node without a vote.
  func add(_ id: UInt64, at address: String) throws(ClusterError) {
    var request = WireRequest(.add)
    request.number(id)
    request.text(address)
    _ = try connection.call(request, .empty)
  }

  func assign(_ role: Member.Role, to id: UInt64) throws(ClusterError) {
    var request = WireRequest(.assign)
    request.number(id)
    request.number(role.rawValue)
    _ = try connection.call(request, .empty)
  }

  func remove(_ id: UInt64) throws(ClusterError) {
    var request = WireRequest(.remove)
    request.number(id)
    _ = try connection.call(request, .empty)
  }

  /// Makes another node the leader.
  func transfer(to id: UInt64) throws(ClusterError) {
    var request = WireRequest(.transfer)
    request.number(id)
    _ = try connection.call(request, .empty)
  }

  // MARK: The database

  /// Opens the database of the log. All further calls are about it.
  func open() throws(ClusterError) {
    var request = WireRequest(.open)
    request.text("log")
    request.number(0)
    request.text("volatile")
    var answer = try connection.call(request, .database)
    guard try answer.half() == 0 else { throw .violation("another database than the first") }
  }

  func prepare(_ sql: String) throws(ClusterError) -> Statement {
    var request = WireRequest(.prepare)
    request.number(0)
    request.text(sql)
    var answer = try connection.call(request, .statement)
    _ = try answer.half()
    return Statement(id: try answer.half())
  }

  /// Runs a statement that writes. Returns the number of rows.
  @discardableResult
  func run(_ statement: Statement, _ values: [WireValue]) throws(ClusterError) -> Int {
    var request = WireRequest(.exec)
    request.half(0)
    request.half(statement.id)
    request.parameters(values)
    return try rowsAffected(request)
  }

  @discardableResult
  func run(_ sql: String, _ values: [WireValue] = []) throws(ClusterError) -> Int {
    var request = WireRequest(.execSQL)
    request.number(0)
    request.text(sql)
    request.parameters(values)
    return try rowsAffected(request)
  }

  private func rowsAffected(_ request: WireRequest) throws(ClusterError) -> Int {
    var answer = try connection.call(request, .result)
    _ = try answer.number()
    return Int(clamping: try answer.number())
  }

  func rows(_ statement: Statement, _ values: [WireValue]) throws(ClusterError) -> [[WireValue]] {
    var request = WireRequest(.query)
    request.half(0)
    request.half(statement.id)
    request.parameters(values)
    return try rows(request)
  }

  func rows(_ sql: String, _ values: [WireValue] = []) throws(ClusterError) -> [[WireValue]] {
    var request = WireRequest(.querySQL)
    request.number(0)
    request.text(sql)
    request.parameters(values)
    return try rows(request)
  }

  private func rows(_ request: WireRequest) throws(ClusterError) -> [[WireValue]] {
    var rows: [[WireValue]] = []
    var answer = try connection.call(request, .rows)
    while try answer.rows(into: &rows) == .more { answer = try connection.answer(.rows) }
    return rows
  }
}
