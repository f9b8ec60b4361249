import Foundation
import TestSupport
import Testing

@Suite("martlet import: format detection and counts") struct ImportTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let ndjson = #"{"type":"list","id":1,"title":"Home"}"# + "\n"
  private static let table = "title,list,tags\nMilk,Shop,a;b;c;d;E\nBread,Shop,e;a\n"
  private static let calendar =
    "BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:Tyres\nCATEGORIES:car\nEND:VTODO\nEND:VCALENDAR\n"

  /// The name and the contents of a file, and the output of the command.
  private static let files: [(String, String, String)] = [
    ("all.ndjson", ndjson, "1 list, 0 tags, 0 reminders"),
    ("all.csv", table, "1 list, 5 tags, 2 reminders"),
    ("all.ics", calendar, "1 list, 1 tag, 1 reminder"),
    // The first bytes take precedence over the name.
    ("wrong.csv", calendar, "1 list, 1 tag, 1 reminder"),
    ("wrong.ics", ndjson, "1 list, 0 tags, 0 reminders"),
    ("nothing", "\n \n" + ndjson, "1 list, 0 tags, 0 reminders"),
    ("mark", "\u{FEFF}" + table, "1 list, 5 tags, 2 reminders"),
    ("quoted", "\"list\",\"title\"\r\nShop,Milk\r\n", "1 list, 0 tags, 1 reminder"),
    (
      "lower", calendar.replacing("BEGIN:VCALENDAR", with: "begin:vcalendar"),
      "1 list, 1 tag, 1 reminder"
    ),
  ]

  @Test("The format is detected from the first bytes or the name", arguments: files)
  func guess(_ name: String, _ text: String, _ says: String) throws {
    try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
    let result = try MartletProcess.run(["import", name, "--database", "a.db"], in: folder)
    #expect(result.code == 0 && result.output == says + "\n", "\(result)")
    let copied = try shell("cat \(name) | $MARTLET import - --database b.db")
    #expect(copied.code == 0 && copied.output == says + "\n", "\(copied)")
    let redirected = try shell("$MARTLET import - --database c.db < \(name)")
    #expect(redirected.code == 0 && redirected.output == says + "\n", "\(redirected)")
    // The times of creation differ.
    let exports = try ["a", "b", "c"].map {
      try MartletProcess.run(["export", "--format", "csv", "--database", "\($0).db"], in: folder)
        .output.replacing(#/2\d{3}-\d\d-\d\dT[\d:.]+Z/#, with: "")
    }
    #expect(Set(exports).count == 1 && exports[0].hasPrefix("list,title"))
  }

  private func shell(_ line: String) throws -> ChildProcess.Result {
    try ChildProcess(
      "/bin/sh", ["-c", line], environment: ["MARTLET": MartletProcess.executable], folder: folder
    ).wait()
  }

  @Test("If standard input was partly read, the rest is imported")
  func rest() throws {
    try ("# a line\n" + Self.ndjson).write(
      toFile: folder.file("a"), atomically: true, encoding: .utf8)
    // The shell's read consumes one line of the file.
    let result = try shell("{ read line; $MARTLET import - --database a.db; } < a")
    #expect(result.output == "1 list, 0 tags, 0 reminders\n", "\(result)")
  }

  @Test(
    "A file of an unknown format is refused with a remedy",
    arguments: [
      ("hello world\n", "Name the format with --format"),
      ("name;due\n", "Name the format with --format"),
      (#"[{"type":"tag","title":"a"}]"#, "NDJSON has one object per line"),
      (
        #"{"type":"tag","titel":"a"}"#,
        "/titel unknown; did you mean title? this line accepts: title, type"
      ),
    ])
  func refused(_ text: String, _ says: String) throws {
    try text.write(toFile: folder.file("a"), atomically: true, encoding: .utf8)
    let result = try MartletProcess.run(["import", "a", "--database", "a.db"], in: folder)
    #expect(result.code == 1 && result.errors.contains(says), "\(result)")
    #expect(result.errors.contains("Nothing was imported"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("a.db")))
  }

  @Test("--format overrides detection, and only import accepts -")
  func told() throws {
    try Self.table.write(toFile: folder.file("a.csv"), atomically: true, encoding: .utf8)
    let wrong = ["import", "a.csv", "--format", "ics", "--database", "a.db"]
    #expect(try MartletProcess.run(wrong, in: folder).code == 1)
    for command in ["backup", "restore"] {
      let result = try MartletProcess.run([command, "-", "--database", "a.db"], in: folder)
      #expect(result.code == 2 && result.errors.contains("martlet import"), "\(result)")
    }
  }

  @Test("Tags that differ only in ASCII case count once")
  func tags() throws {
    let file = """
      {"type":"list","id":1,"title":"Home"}
      {"type":"tag","title":"car"}
      {"type":"reminder","listID":1,"title":"a","tags":["CAR","Ärger"]}
      {"type":"reminder","listID":1,"title":"b","tags":["ärger","new"]}
      {"type":"tag","title":"NEW"}

      """
    try file.write(toFile: folder.file("a"), atomically: true, encoding: .utf8)
    let result = try MartletProcess.run(["import", "a", "--database", "a.db"], in: folder)
    #expect(result.output == "1 list, 4 tags, 2 reminders\n", "\(result)")
    let stored = try MartletProcess.sqlite3(
      folder.file("a.db"), "SELECT count(*) FROM tags", in: folder)
    #expect(stored == "4\n")
  }
}
