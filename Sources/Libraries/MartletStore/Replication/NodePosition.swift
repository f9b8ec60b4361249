import MartletSQLite

/// Which cluster a file belongs to, and the last entry of the log that it has. Both are in a table
/// of the file, which changes in the same transaction as the rows, and is not replicated itself.
public struct NodePosition: Sendable, Hashable {
  static let table = "martlet_cluster"

  /// The ID of the cluster.
  public var cluster: String
  /// The number of the last entry.
  public var seq: Int64

  /// Creates a position.
  public init(cluster: String, seq: Int64) {
    self.cluster = cluster
    self.seq = seq
  }

  /// The position of a file; `nil` for one that belongs to no cluster.
  public init?(_ connection: Connection) throws(SQLiteError) {
    guard try connection.tableExists(Self.table) else { return nil }
    let row = try connection.rows("SELECT cluster, seq FROM main.martlet_cluster").first
    guard let row, let cluster = row[0].text, let seq = row[1].integer else { return nil }
    self.init(cluster: cluster, seq: seq)
  }

  /// Makes a file part of a cluster, or gives it another position.
  public func store(in connection: Connection) throws(SQLiteError) {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS main.martlet_cluster (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        cluster TEXT NOT NULL,
        seq INTEGER NOT NULL
      ) STRICT
      """)
    try connection.run(
      """
      INSERT INTO main.martlet_cluster VALUES (1, ?1, ?2)
      ON CONFLICT DO UPDATE SET cluster = ?1, seq = ?2
      """, .text(cluster), .integer(seq))
  }

  /// Makes the file one that belongs to no cluster.
  public static func remove(from connection: Connection) throws(SQLiteError) {
    try connection.execute("DROP TABLE IF EXISTS main.martlet_cluster")
  }

  /// Changes the number of the last entry in the connection's transaction.
  static func set(_ seq: Int64, _ connection: Connection) throws(SQLiteError) {
    let statement = try connection.cached("UPDATE main.martlet_cluster SET seq = ?")
    try statement.bind(int64: seq, at: 1)
    try statement.run()
  }
}
