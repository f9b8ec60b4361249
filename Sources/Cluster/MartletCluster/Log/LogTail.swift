import MartletStore

/// Reads the entries of the log from the node that leads.
///
/// `@unchecked Sendable`: used by one thread at a time.
final class LogTail: @unchecked Sendable {
  /// The most parts in one answer: at most 8 MiB.
  private static let limit: Int64 = 32

  let client: DqliteClient
  private let select: DqliteClient.Statement
  private var assembler: EntryAssembler
  /// The ID of the cluster whose log it is; `nil` if the log has not been begun.
  let cluster: String?

  /// The number of nodes that have a vote, at the last report.
  private(set) var voters: Int
  /// Whether the last answer had everything that the log has.
  private(set) var isAtEnd = false

  var address: String { client.address }

  /// Connects to the leader.
  ///
  /// - Parameters:
  ///   - seq: The last entry that is known.
  ///   - timeout: How long to wait for an answer. A leader that has failed is noticed after that.
  init(at address: String, after seq: Int64, timeout: Duration) throws(ClusterError) {
    client = try DqliteClient(to: address, timeout: timeout)
    try client.open()
    voters = try Self.voters(client)
    do throws(ClusterError) {
      cluster = try client.rows("SELECT cluster FROM control").first?[0].text
    } catch  where error.isMissingTable {
      cluster = nil
    }
    select = try client.prepare(
      "SELECT place, more, epoch, kind, body FROM entries WHERE place >= ? ORDER BY place LIMIT ?")
    assembler = EntryAssembler(after: seq)
  }

  /// Some of the next entries; empty at the end of the log. Throws ``ReplicationError/gap`` if the
  /// next one is not in the log any more.
  func read() throws -> [ReplicatedEntry] {
    while true {
      let rows = try client.rows(select, [.integer(assembler.next), .integer(Self.limit)])
      isAtEnd = rows.count < Self.limit
      for row in rows {
        guard let place = row[0].integer, let more = row[1].integer, let epoch = row[2].integer,
          let kind = row[3].integer.flatMap(ReplicatedEntry.Kind.init), let body = row[4].blob
        else { throw ClusterError.violation("an entry of the log has another form") }
        let part = EntryAssembler.Part(
          place: place, isLast: more == 0, epoch: epoch, kind: kind, bytes: body)
        let step = assembler.add(part)
        if step == .startAgain {
          isAtEnd = false
          break
        }
        if case .gap(let found) = step {
          let wanted = LogPlace.seq(of: assembler.next)
          guard assembler.entries.isEmpty else { break }
          throw ReplicationError.gap(wanted: wanted, found: found)
        }
      }
      // A primary that failed in the middle may have put another entry in its place.
      if isAtEnd, try isReplaced() {
        assembler.startAgain()
        isAtEnd = false
      }
      let entries = assembler.take()
      if !entries.isEmpty || isAtEnd { return entries }
    }
  }

  /// Whether the parts that were read of an unfinished entry are not in the log any more.
  private func isReplaced() throws(ClusterError) -> Bool {
    guard let first = assembler.unfinished else { return false }
    let row = try client.rows(
      "SELECT more, epoch FROM entries WHERE place = ?", [.integer(first.place)]
    ).first
    return row?[0].integer != 1 || row?[1].integer != first.epoch
  }

  /// Tells the primary how far this node is.
  func report(_ node: NodeReport) throws(ClusterError) {
    try node.store(client)
    voters = try Self.voters(client)
  }

  private static func voters(_ client: DqliteClient) throws(ClusterError) -> Int {
    try client.members().count { $0.role == .voter }
  }

  /// The staged file that the primary offers, if any.
  func offer() throws(ClusterError) -> (tag: UInt64, seq: Int64)? {
    let row = try client.rows("SELECT offer, offerSeq FROM control").first
    guard let row, let tag = row[0].integer, tag != 0, let seq = row[1].integer else { return nil }
    return (UInt64(bitPattern: tag), seq)
  }

  /// Lets a majority confirm that the node which is asked leads it.
  func beat() throws(ClusterError) { try client.run("UPDATE control SET beat = beat + 1") }
}

extension ClusterError {
  /// Whether the log has no tables yet.
  var isMissingTable: Bool {
    if case .refused(let code, let message) = self {
      code & 0xff == 1 && message.hasPrefix("no such table")
    } else {
      false
    }
  }
}

/// How far a node is, as the other nodes see it.
struct NodeReport: Sendable, Equatable {
  var id: UInt64
  var address: String
  /// The last entry that its file has.
  var applied: Int64
  /// The last entry that its file has after a power loss.
  var durable: Int64
  /// The version of dqlite.
  var version: Int
  /// Its wall clock, in milliseconds since 1970.
  var clock: Int64
  /// ``ClusterSettings/contact``.
  var contact = ""
  /// The number of its reports.
  var beat: Int64 = 0
  /// The tag of the staged file that it has; 0 without one.
  var staged: UInt64

  private static let sql = """
    INSERT INTO nodes VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 1) ON CONFLICT (id) DO UPDATE SET
      address = ?2, applied = ?3, durable = ?4, version = ?5, clock = ?6, staged = ?7,
      contact = ?8, beat = beat + 1
    """

  /// The reports of all nodes.
  static func all(_ client: DqliteClient) throws(ClusterError) -> [NodeReport] {
    let rows = try client.rows(
      "SELECT id, address, applied, durable, version, clock, staged, contact, beat FROM nodes")
    return rows.map { row in
      NodeReport(
        id: UInt64(bitPattern: row[0].integer ?? 0), address: row[1].text ?? "",
        applied: row[2].integer ?? 0, durable: row[3].integer ?? 0,
        version: Int(row[4].integer ?? 0), clock: row[5].integer ?? 0,
        contact: row[7].text ?? "", beat: row[8].integer ?? 0,
        staged: UInt64(bitPattern: row[6].integer ?? 0))
    }
  }

  func store(_ client: DqliteClient) throws(ClusterError) {
    let values: [WireValue] = [
      .integer(Int64(bitPattern: id)), .text(address), .integer(applied), .integer(durable),
      .integer(Int64(version)), .integer(clock), .integer(Int64(bitPattern: staged)),
      .text(contact),
    ]
    try DqliteClient.persist { () throws(ClusterError) in try client.run(Self.sql, values) }
  }
}
