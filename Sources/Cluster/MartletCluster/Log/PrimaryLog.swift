import Glibc
import MartletStore

/// The log as its primary writes it, through its own machine's node of dqlite, which leads.
///
/// A primary begins by changing the epoch. Each entry is inserted only while the epoch is still the
/// primary's, so after another node has taken over, nothing more is appended.
///
/// `@unchecked Sendable`: used by one thread at a time.
final class PrimaryLog: @unchecked Sendable {
  /// How long a request is repeated or waited for.
  static let patience: Duration = .seconds(4)

  private let client: DqliteClient
  private let insert: DqliteClient.Statement
  private let beatStatement: DqliteClient.Statement
  private let node: UInt64
  let epoch: Int64
  /// The number of the last entry; `nil` in a log that has never had one.
  let last: Int64?
  /// The ID of the cluster.
  let cluster: String
  private(set) var trimming = LogTrimming()
  /// Whether ``trimming`` knows the entries that were there before.
  private var isCounted: Bool

  static let tables = [
    """
    CREATE TABLE IF NOT EXISTS control (
      one INTEGER PRIMARY KEY CHECK (one = 1), epoch INTEGER NOT NULL, node INTEGER NOT NULL,
      beat INTEGER NOT NULL, cluster TEXT NOT NULL, offer INTEGER NOT NULL,
      offerSeq INTEGER NOT NULL)
    """,
    """
    CREATE TABLE IF NOT EXISTS entries (
      place INTEGER PRIMARY KEY, more INTEGER NOT NULL, epoch INTEGER NOT NULL,
      kind INTEGER NOT NULL, body BLOB NOT NULL)
    """,
    """
    CREATE TABLE IF NOT EXISTS nodes (
      id INTEGER PRIMARY KEY, address TEXT NOT NULL, applied INTEGER NOT NULL,
      durable INTEGER NOT NULL, version INTEGER NOT NULL, clock INTEGER NOT NULL,
      staged INTEGER NOT NULL, contact TEXT NOT NULL, beat INTEGER NOT NULL)
    """,
  ]

  /// Takes over. Nothing of any other node is appended after this.
  ///
  /// - Parameters:
  ///   - address: The address of the own node.
  ///   - node: Its ID.
  ///   - cluster: The ID of the cluster in the file of this node. A new log gets it.
  init(at address: String, node: UInt64, cluster: String) throws(ClusterError) {
    let client = try DqliteClient(to: address, timeout: Self.patience)
    self.client = client
    self.node = node
    try client.open()
    let node = Int64(bitPattern: node)
    let deadline = ContinuousClock.now + Self.patience
    // Each write waits for a majority, so only the necessary ones are made.
    if try !Self.exists(client) {
      for sql in Self.tables {
        try DqliteClient.persist(until: deadline) { () throws(ClusterError) in try client.run(sql) }
      }
      try DqliteClient.persist(until: deadline) { () throws(ClusterError) in
        try client.run(
          "INSERT OR IGNORE INTO control VALUES (1, 0, 0, 0, ?, 0, 0)", [.text(cluster)])
      }
    }
    // The deleted content of a log does not have to be overwritten.
    _ = try client.rows("PRAGMA secure_delete = OFF")
    try DqliteClient.persist(until: deadline) { () throws(ClusterError) in
      try client.run("UPDATE control SET epoch = epoch + 1, node = ?, offer = 0", [.integer(node)])
    }
    let control = try client.rows("SELECT epoch, node, cluster FROM control").first
    guard let control, let epoch = control[0].integer, let stored = control[2].text else {
      throw .violation("the log has no control row")
    }
    // Another node has taken over in between.
    guard control[1].integer == node else { throw .deposed }
    self.epoch = epoch
    self.cluster = stored
    insert = try client.prepare(
      "INSERT INTO entries SELECT ?, ?, epoch, ?, ? FROM control WHERE epoch = ?")
    beatStatement = try client.prepare("UPDATE control SET beat = beat + 1 WHERE epoch = ?")
    let places = try client.rows(
      "SELECT max(place), (SELECT max(place) FROM entries WHERE more = 0) FROM entries")
    let complete = places.first?[1].integer
    if let end = places.first?[0].integer, end != complete {
      // What a primary has left behind that failed in the middle of an entry.
      try DqliteClient.persist(until: deadline) { () throws(ClusterError) in
        try client.run("DELETE FROM entries WHERE place > ?", [.integer(complete ?? -1)])
      }
    }
    last = complete.map { LogPlace.seq(of: $0) }
    isCounted = places.first?[0].integer == nil
  }

  /// Whether the log has been begun.
  private static func exists(_ client: DqliteClient) throws(ClusterError) -> Bool {
    do throws(ClusterError) {
      return try !client.rows("SELECT 1 FROM control").isEmpty
    } catch  where error.isMissingTable {
      return false
    }
  }

  /// Appends an entry, in parts.
  func append(
    _ entry: [UInt8], seq: Int64, kind: ReplicatedEntry.Kind = .rows
  ) throws(ReplicationError) {
    let deadline = ContinuousClock.now + Self.patience
    var start = 0
    var place = LogPlace.first(of: seq)
    repeat {
      let end = min(start + LogPlace.partSize, entry.count)
      let isLast = end == entry.count
      do throws(ClusterError) {
        let count = try DqliteClient.persist(until: deadline) { () throws(ClusterError) in
          try client.run(
            insert,
            [
              .integer(place), .integer(isLast ? 0 : 1), .integer(kind.rawValue),
              .blob(Array(entry[start..<end])), .integer(epoch),
            ])
        }
        guard count == 1 else { throw ClusterError.deposed }
      } catch {
        // Without its last part the entry does not exist, and the next primary deletes the others.
        throw isLast && Self.isUndecided(error) ? .undecided : .notPrimary
      }
      start = end
      place += 1
    } while start < entry.count
    if isCounted { trimming.add(seq, bytes: entry.count) }
  }

  /// Whether a request that failed may have had its effect.
  private static func isUndecided(_ error: ClusterError) -> Bool {
    switch error {
    case .deposed, .library, .nodeFile: false
    case .connection, .violation: true
    case .refused(let code, _):
      // Nothing was done if the place is taken.
      code != ClusterError.notLeader && code != ClusterError.busy
        && code & 0xff != ClusterError.constraint
    }
  }

  /// Offers a staged file to the other nodes, or no file any more: `nil`.
  func offer(_ file: StagedFile?) throws(ClusterError) {
    let deadline = ContinuousClock.now + Self.patience
    let count = try DqliteClient.persist(until: deadline) { () throws(ClusterError) in
      try client.run(
        "UPDATE control SET offer = ?, offerSeq = ? WHERE epoch = ?",
        [
          .integer(Int64(bitPattern: file?.tag ?? 0)), .integer(file?.seq ?? 0), .integer(epoch),
        ])
    }
    guard count == 1 else { throw .deposed }
  }

  /// Whether most voters have the staged file with a tag. This node has it.
  func mostHave(_ tag: UInt64) throws(ClusterError) -> Bool {
    let voters = Set(try client.members().filter { $0.role == .voter }.map(\.id))
    let have = try NodeReport.all(client).filter {
      $0.staged == tag && $0.id != node && voters.contains($0.id)
    }
    return have.count + 1 > voters.count / 2
  }

  /// Writes a row, so that a majority has answered this primary.
  func beat() throws(ClusterError) {
    let deadline = ContinuousClock.now + Self.patience
    let count = try DqliteClient.persist(until: deadline) { () throws(ClusterError) in
      try client.run(beatStatement, [.integer(epoch)])
    }
    guard count == 1 else { throw .deposed }
  }

  /// Deletes old entries that the voters do not need.
  func trim(durable: [Int64]) throws(ClusterError) {
    if !isCounted { try count() }
    guard let bound = trimming.bound(durable: durable) else { return }
    let deadline = ContinuousClock.now + Self.patience
    try DqliteClient.persist(until: deadline) { () throws(ClusterError) in
      try client.run(
        """
        DELETE FROM entries WHERE place < ? AND EXISTS (SELECT 1 FROM control WHERE epoch = ?)
        """, [.integer(LogPlace.first(of: bound)), .integer(epoch)])
    }
    trimming.delete(before: bound)
  }

  /// Counts the bytes of all entries, once the log is so large that some can be deleted. That takes
  /// too long for the moment in which a node takes over.
  private func count() throws(ClusterError) {
    let pages = try client.rows("PRAGMA page_count").first?[0].integer ?? 0
    let pageSize = try client.rows("PRAGMA page_size").first?[0].integer ?? 0
    guard Int(pages) * Int(pageSize) > LogTrimming.kept else { return }
    let sizes = try client.rows(
      "SELECT place / 65536, sum(length(body)) FROM entries GROUP BY 1 ORDER BY 1")
    for size in sizes { trimming.add(size[0].integer ?? 0, bytes: Int(size[1].integer ?? 0)) }
    isCounted = true
  }
}
