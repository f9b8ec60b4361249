/// The format of what one commit has done, for the other nodes of a cluster.
///
/// An entry has the final content of each row that was touched, or says that the row is gone. It
/// does not say how that came about, so triggers, foreign keys and functions play no part when it
/// is applied, and applying it twice changes nothing more.
///
/// ```text
/// entry      version, tag (8 bytes), count of tables, tables, 0 or 1, sequences if 1
/// table      name, columns (count, names), key (count, indexes of columns), if the key is empty
///            the index of the name of the row ID, count of rows, rows
/// row        0 (it is gone), row ID or key values
///            1 (it is there), row ID if the key is empty, a value for each column
/// sequences  count of rows, name and number of each: all of sqlite_sequence
/// ```
public enum RowEntry {
  static let version: UInt8 = 1
  /// The number of bytes before the first table.
  static let headerSize = 9
  /// The largest entry, in bytes.
  public static let sizeLimit = 64 << 20

  /// An entry that changes no row.
  static func withoutRows(tag: UInt64) -> [UInt8] {
    var writer = EntryWriter()
    writer.byte(version)
    writer.fixed(tag)
    writer.number(0)
    writer.byte(0)
    return writer.bytes
  }

  /// The random number that its writer has given to an entry.
  public static func tag(of entry: [UInt8]) throws(ReplicationError) -> UInt64 {
    let tag = entry.withUnsafeBytes { bytes -> Result<UInt64, ReplicationError> in
      var reader = EntryReader(bytes)
      return Result { () throws(ReplicationError) in
        guard try reader.byte() == version else { throw .damaged }
        return try reader.fixed()
      }
    }
    return try tag.get()
  }
}
