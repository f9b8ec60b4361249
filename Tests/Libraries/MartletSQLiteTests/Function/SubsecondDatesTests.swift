import MartletSQLite
import Testing

/// `datetime('subsec')` with any version of the library.
@Suite struct SubsecondDatesTests {
  let connection: Connection
  let plain: Connection

  init() throws {
    connection = try Connection(location: .inMemory)
    plain = try Connection(location: .inMemory)
    try connection.addSubsecondDates()
  }

  private func isMillisecondTime(_ value: Value?) -> Bool {
    guard let text = value?.text else { return false }
    let shape = text.map { $0.isNumber ? "0" : String($0) }.joined()
    return shape == "0000-00-00 00:00:00.000"
  }

  @Test func nowToTheMillisecond() throws {
    for call in ["datetime('subsec')", "datetime('now', 'subsecond')", "datetime('SUBSEC')"] {
      #expect(isMillisecondTime(try connection.value("SELECT \(call)")), "\(call)")
    }
    let later = try connection.value(
      "SELECT datetime('subsec') >= strftime('%Y-%m-%d %H:%M:%f', 'now', '-1 second')")
    #expect(later == 1)
    #expect(try connection.value("SELECT length(time('subsec'))") == 12)
  }

  @Test func aGivenTime() throws {
    #expect(
      try connection.value("SELECT datetime('2026-01-31 12:00:00.1236', '+1 day', 'subsec')")
        == "2026-02-01 12:00:00.124")
    #expect(
      try connection.value("SELECT time('12:00:00.5', 'subsec', '+1 hour')") == "13:00:00.500")
    #expect(try connection.value("SELECT datetime('nonsense', 'subsec')") == .null)
    #expect(try connection.value("SELECT datetime(NULL, 'subsec')") == .null)
  }

  @Test func everythingElseIsAsBefore() throws {
    let arguments = [
      "'2026-01-31'", "'2026-01-31', 'start of month', '+1 month', '-1 day'", "0", "2460000.5",
      "1700000000, 'unixepoch'", "1700000000, 'auto'", "'12:34'", "'nonsense'", "NULL",
      "'2026-01-31', 'nonsense'", "-1000000", "'2026-06-01 10:00+02:00'", "x'31'", "''",
    ]
    for call in ["datetime", "time"] {
      for list in arguments {
        #expect(
          try connection.value("SELECT \(call)(\(list))")
            == plain.value("SELECT \(call)(\(list))"), "\(call)(\(list))")
      }
    }
    #expect(try connection.value("SELECT datetime() = datetime('now')") == 1)
  }

  @Test func indexesAndChecksGoOnWorking() throws {
    try connection.execute(
      """
      CREATE TABLE t(a TEXT CHECK (datetime(a) IS NOT NULL), b TEXT AS (time(a)) STORED);
      CREATE INDEX i ON t(datetime(a));
      INSERT INTO t(a) VALUES ('2026-01-31T10:00'), ('2026-01-31T11:00')
      """)
    #expect(
      try connection.value("SELECT b FROM t WHERE datetime(a) = '2026-01-31 11:00:00'")
        == "11:00:00")
    #expect(throws: SQLiteError.self) { try connection.execute("INSERT INTO t(a) VALUES ('x')") }
    #expect(try connection.value("PRAGMA integrity_check") == "ok")
  }

  @Test func aDefaultAndATriggerStoreIt() throws {
    try connection.execute(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, made TEXT DEFAULT (datetime('subsec')), changed TEXT);
      CREATE TEMP TRIGGER touch AFTER UPDATE OF id ON t BEGIN
        UPDATE t SET changed = datetime('subsec') WHERE id = new.id;
      END;
      INSERT INTO t(id) VALUES (1);
      UPDATE t SET id = 2
      """)
    let row = try connection.rows("SELECT made, changed FROM t")[0]
    #expect(isMillisecondTime(row[0]))
    #expect(isMillisecondTime(row[1]))
  }
}
