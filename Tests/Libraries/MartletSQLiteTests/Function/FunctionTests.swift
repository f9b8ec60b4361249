import MartletSQLite
import Testing

@Suite struct FunctionTests {
  struct Trouble: Error, CustomStringConvertible {
    let number: Int
    var description: String { "trouble \(number)" }
  }

  final class RunningSum: Function.Window {
    private var sum = 0
    override class var name: String { "running_sum" }
    override class var argc: Int32 { 1 }
    override func step(args: any ArgumentsProtocol) { sum += args[0] as Int? ?? 0 }
    override func inverse(args: any ArgumentsProtocol) { sum -= args[0] as Int? ?? 0 }
    override func value() -> SQLiteRepresentable? { sum }
  }

  final class Fragile: Function.Aggregate {
    nonisolated(unsafe) static var alive = 0
    override class var name: String { "fragile" }
    override class var argc: Int32 { 1 }
    required init() { Self.alive += 1 }
    deinit { Self.alive -= 1 }
    override func step(args: any ArgumentsProtocol) throws {
      if args[0] == 2 { throw Trouble(number: 2) }
    }
    override func finalize() throws -> SQLiteRepresentable? { "never seen" }
  }

  final class Keeper {}

  let connection: Connection

  init() throws {
    connection = try Connection(location: .inMemory)
    try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES (1), (2), (3), (4)")
  }

  @Test func argumentsConvertOrAreNil() throws {
    var seen: [String] = []
    try connection.addFunction("look") { args in
      seen = [
        "\(args.count)", "\(args[0] as Int?, default: "-")", "\(args[1] as String?, default: "-")",
        "\(args[2] as Double?, default: "-")", "\(args[3] as Bool?, default: "-")",
        "\(args[4] as Int?, default: "-")", "\(args[5] as Int8?, default: "-")",
        "\((args[6] as [UInt8]?)?.count, default: "-")", "\(args[1])",
      ]
      return nil
    }
    #expect(try connection.value("SELECT look(1, 'x', 2, 3, 'y', 300, x'0102')") == .null)
    #expect(seen == ["7", "1", "x", "2.0", "true", "-", "-", "2", "'x'"])
  }

  @Test func everyResultArrives() throws {
    let values: [Value] = [1, 2.5, "text", "", .blob([1]), .blob([]), nil]
    try connection.addFunction("pick", argumentCount: 1) { args in values[args[0] as Int? ?? 0] }
    for (index, value) in values.enumerated() {
      #expect(try connection.value("SELECT pick(?)", .integer(Int64(index))) == value)
    }
  }

  @Test func theSwiftErrorIsKept() throws {
    try connection.addFunction("fail", argumentCount: 1) {
      throw Trouble(number: $0[0] as Int? ?? 0)
    }
    let error = #expect(throws: SQLiteError.self) { try connection.value("SELECT fail(7)") }
    #expect(error?.message == "trouble 7")
    #expect((error?.underlying as? Trouble)?.number == 7)
    let next = #expect(throws: SQLiteError.self) {
      try connection.value("SELECT abs(-9223372036854775808)")
    }
    #expect(next?.underlying == nil)
  }

  @Test func aClosureIsReleasedWithItsFunction() throws {
    weak var keeper: Keeper?
    do {
      let strong = Keeper()
      keeper = strong
      try connection.addFunction("kept", argumentCount: 0) { _ in
        withExtendedLifetime(strong) { 1 }
      }
    }
    #expect(keeper != nil)
    try connection.removeFunction("kept", argumentCount: 0)
    #expect(keeper == nil)
  }

  @Test func aggregatesFromClosuresKeepStatesApart() throws {
    try connection.addAggregate(
      "list", argumentCount: 1, initial: { [Int]() },
      step: { if let value = $1[0] as Int? { $0.append(value) } },
      finalize: { $0.map(String.init).joined(separator: "+") })
    #expect(
      try connection.rows("SELECT a % 2, list(a), list(a * 10) FROM t GROUP BY 1").map(\.values)
        == [[0, "2+4", "20+40"], [1, "1+3", "10+30"]])
    #expect(try connection.value("SELECT list(a) FROM t WHERE false") == "")
  }

  @Test func windowsForgetRows() throws {
    try connection.add(function: RunningSum.self)
    #expect(
      try connection.rows(
        "SELECT running_sum(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t"
      ).map(\.values) == [[1], [3], [5], [7]])
    #expect(try connection.value("SELECT running_sum(a) FROM t") == 10)
  }

  @Test func aFailedAggregateIsLetGo() throws {
    try connection.add(function: Fragile.self)
    let error = #expect(throws: SQLiteError.self) {
      try connection.value("SELECT fragile(a) FROM t")
    }
    #expect(error?.message == "trouble 2")
    #expect(Fragile.alive == 0)
  }

  @Test func directOnlyIsRefusedInATrigger() throws {
    try connection.addFunction("direct", argumentCount: 0, options: [.directonly]) { _ in 1 }
    try connection.execute("CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT direct(); END")
    let error = #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES (9)") }
    #expect(error?.message.contains("unsafe use of direct") == true)
    #expect(try connection.value("SELECT direct()") == 1)
  }

  @Test func aCollationOrdersText() throws {
    try connection.addCollation("by_length") { $0.count - $1.count }
    #expect(
      try connection.rows(
        "SELECT column1 FROM (VALUES ('ccc'), ('a'), ('dd')) ORDER BY column1 COLLATE by_length"
      ).map { $0[0] } == ["a", "dd", "ccc"])
  }
}
