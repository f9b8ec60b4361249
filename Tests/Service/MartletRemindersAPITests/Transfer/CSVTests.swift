import MartletJSON
import MartletLiveAPI
import MartletReminders
import Testing

@testable import MartletRemindersAPI

@Suite("Reminders as a table (RFC 4180)") struct CSVTests {
  private func records(_ text: String, most: Int = 10_000) throws -> [TransferRecord] {
    var lines = MemoryLines(SharedBytes(Array(text.utf8)))
    return try TransferFormat.csv.records(&lines, most: most)
  }

  private func reminders(_ text: String) throws -> [ReminderRepository.Values] {
    try records(text).compactMap { if case .reminder(let one) = $0 { one.values } else { nil } }
  }

  private func lists(_ text: String) throws -> [String] {
    try records(text).compactMap { if case .list(let list) = $0 { list.title } else { nil } }
  }

  private func problem(_ text: String, most: Int = 10_000) throws -> APIProblem {
    try #require(throws: APIProblem.self) { try records(text, most: most) }
  }

  /// The row of a reminder without its line break.
  private func row(_ set: (inout ReminderRepository.Values) -> Void, list: String = "L") -> String {
    var values = ReminderRepository.Values()
    values.listID = 1
    set(&values)
    let buffer = ByteBuffer(capacity: 1024)
    var writer = CSV.Writer()
    writer.write(.list(TransferList(id: 1, title: list)), into: buffer)
    writer.write(.reminder(TransferReminder(values)), into: buffer)
    return String(String(decoding: buffer.bytes, as: UTF8.self).unicodeScalars.dropLast(2))
  }

  @Test(
    "A quotation mark is recognized even before a combining mark",
    arguments: [
      ("x\"\u{301},y", "\"x\"\"\u{301},y\""), ("\"\u{200D}", "\"\"\"\u{200D}\""),
      (",\u{301}", "\",\u{301}\""), ("a\r\u{301}", "\"a\r\u{301}\""),
      ("plain\u{85}", "plain\u{85}"),
    ])
  func quotes(_ title: String, _ field: String) throws {
    let row = row { $0.title = title }
    #expect(row.utf8.elementsEqual("L,\(field),,,,,,,,,,false,,,,,".utf8), "\(row)")
    let read = try reminders("title\n\(field)\n")
    #expect(read.map { Array(($0.title ?? "").utf8) } == [Array(title.utf8)])
  }

  @Test("The first line decides whether commas, semicolons or tabs separate fields")
  func separators() throws {
    for (file, title, notes, tags) in [
      ("list;title;notes;tags\nShop;Milk;1,5 l;\"a;b\"\n", "Milk", "1,5 l", ["a", "b"]),
      ("\u{FEFF}\"title\";\"notes\"\r\n\"Milk; fresh\";\"x\ty\"\r\n", "Milk; fresh", "x\ty", []),
      ("title\tnotes\ttags\nMilk\ta;b,c\ta;b\n", "Milk", "a;b,c", ["a", "b"]),
      ("title,notes\n\"a,b\",c;d\n", "a,b", "c;d", []),
    ] {
      let read = try #require(try reminders(file).first, "\(file)")
      #expect(read.title == title && read.notes == notes && read.tags ?? [] == tags, "\(file)")
      #expect(TransferFormat(guessing: "", head: Array(file.utf8)) == .csv)
    }
    #expect(try reminders("title\na;b\n").map(\.title) == ["a;b"])
    #expect(try problem("title;notes\nx,y\n").detail.contains("the separator is a semicolon"))
    #expect(try problem("title;notes\n\"x\",y\n").detail.contains("followed by a semicolon"))
    #expect(try problem("title;colour\nx;y\n").detail.contains("no column \"colour\""))
    #expect(try problem("name;due\nx;y\n").detail.contains("commas, semicolons or tabs"))
  }

  @Test(
    "Excel: a line that names the separator, empty rows and columns, other capitals",
    arguments: [
      "sep=;\r\nTitle;Due Date;\r\nMilk;2026-12-01;\r\n;;\r\n ; ;\r\nBread;;\r\n;;\r\n",
      "SEP=\t\nTITLE\tduedate\t\t\nMilk\t2026-12-01\nBread\t\t\t\n",
      "\u{FEFF}sep=,\n\ntitle,dueDate\nMilk,2026-12-01,,,,\n,\nBread,,\n,,,,\n",
      ";;\nTitle;DUEDATE\nMilk;2026-12-01\nBread;\n;\n",
    ])
  func excel(_ file: String) throws {
    let read = try reminders(file)
    #expect(read.map(\.title) == ["Milk", "Bread"])
    #expect(read.map { ($0.dueDate ?? nil)?.description } == ["2026-12-01", nil])
    #expect(try lists(file) == ["Reminders"])
    if !file.hasPrefix(";") {
      #expect(TransferFormat(guessing: "", head: Array(file.utf8)) == .csv)
    }
  }

  @Test("A value without a column is refused, and so is a column without a name")
  func valuesWithoutColumn() throws {
    #expect(try problem("title;notes;\nx;y;z\n").detail.contains("has 3 fields"))
    #expect(try problem("title;;notes\nx;y;z\n").detail.contains("no column \"\""))
    #expect(try problem("Title;TITLE\nx;y\n").detail.contains("may appear once"))
    #expect(try problem("sep=|\ntitle|notes\n").detail.contains("no column \"sep=|\""))
    #expect(try reminders("title,notes\n\"\",\n").map(\.title) == [""], "a quoted empty title")
  }

  @Test("A time of completion without a status completes")
  func completedAt() throws {
    let time = "2026-12-01T10:00:00Z"
    for (row, status) in [
      ("x,\(time),", Reminder.Status.completed), ("x,\(time),incomplete", .incomplete),
      ("x,,", nil),
    ] {
      #expect(try reminders("title,completedAt,status\n\(row)\n").map(\.status) == [status])
    }
  }

  static let tagFields: [([String], String)] = [
    (["a", "b"], "a;b"), (["a\\"], "a\\\\"), (["a;b", "c"], "a\\;b;c"), (["\\;"], "\\\\\\;"),
    ([" "], "\\ "), (["  "], "\\ \\ "), ([" a "], "\\ a\\ "), (["a b"], "a b"),
    (["\\ "], "\\\\\\ "),
    (["a\\", " b"], "a\\\\;\\ b"), ([";\u{301}"], "\\;\u{301}"),
  ]

  @Test("Tags with semicolons, backslashes and spaces", arguments: tagFields)
  func tags(_ tags: [String], _ field: String) throws {
    #expect(CSV.Tags.field(of: tags).utf8.elementsEqual(field.utf8))
    let read = try reminders("title,tags\nx,\"\(field)\"\n")
    #expect(read.map { $0.tags ?? [] } == [tags])
  }

  @Test(
    "Tags of other programs, and of versions that did not escape backslashes",
    arguments: [
      ("food; b\\;c ", ["food", "b;c"]), ("a\\b", ["a\\b"]), ("a\\ b", ["a\\ b"]),
      (" a ; ;;b", ["a", "b"]), ("C:\\x\\y", ["C:\\x\\y"]), ("a\\", ["a\\"]),
    ])
  func foreignTags(_ field: String, _ tags: [String]) throws {
    let read = try reminders("title,tags\nx,\(field)\n")
    #expect(read.map { $0.tags ?? [] } == [tags])
  }

  @Test("The empty title of a list is a quoted empty field")
  func lists() throws {
    #expect(row({ $0.title = "x" }, list: "").hasPrefix("\"\",x,"))
    #expect(try lists("list,title\n\"\",x\n,y\n") == ["", "Reminders"])
    // Equal as Swift strings, but different lists.
    #expect(try lists("list,title\n\u{E9},x\ne\u{301},y\n").count == 2)
    let long = String(repeating: "x", count: 1_001)
    #expect(try problem("list,title\n\(long),x\n").errors.first?.place == .pointer("/list"))
  }

  @Test("The first row may have a byte order mark and quoted names")
  func names() throws {
    #expect(try reminders("\u{FEFF}\"title\",\"notes\"\r\nx,y\r\n").first?.notes == "y")
    let marks = String(repeating: "\u{301}", count: 100_000)
    #expect(try problem("x\(marks),title\n").detail.utf8.count < 500)
    let commas = String(repeating: ",", count: 1 << 20)
    #expect(try problem("x\(commas)y").detail.contains("no column"))
    #expect(try problem(commas).detail.contains("The file is empty"))
  }

  /// With quadratic time these would take many minutes.
  @Test(
    "Reading takes linear time, whatever the quotation marks", .timeLimit(.minutes(10)))
  func linear() throws {
    let lines = String(repeating: "\n", count: 1 << 18)
    #expect(try problem("title\n\"\(lines)").detail.hasPrefix("Line 2: A quotation mark"))
    let fields = String(repeating: ",y", count: 1 << 18)
    #expect(try problem("title\nx\(fields)\n").detail.contains("has 262145 fields"))
    let tags = String(repeating: "t;", count: 1 << 15)
    #expect(try reminders("title,tags\nx,\(tags)\n").first?.tags == ["t"])
    let marks = String(repeating: "\"\"", count: 100_000)
    let notes = try reminders("title,notes\nx,\"\(marks)\"\n").first?.notes
    #expect(notes?.utf8.count == 100_000)
  }

  @Test("An ambiguous row is refused with its line")
  func wrongRows() throws {
    #expect(try problem("title,notes\nx,y\nz\n").detail.hasPrefix("Line 3: The row has 1 field"))
    #expect(try problem("title\nx\ny\"z\"\n").detail.contains("must be quoted"))
    #expect(try problem("title\n\"x\"y\n").detail.contains("followed by a comma"))
  }

  @Test("The size of a row is limited")
  func longRow() throws {
    let lines = String(repeating: String(repeating: "y", count: 1 << 20) + "\n", count: 5)
    #expect(try problem("title,notes\nx,\"\(lines)\"\n").detail.contains("longer than 4 MiB"))
  }

  @Test("Too many records are refused with the line and a remedy")
  func most() throws {
    let file = "title\n" + String(repeating: "a\n", count: 10)
    // Ten reminders and their list.
    #expect(try records(file, most: 11).count == 11)
    let refusal = try problem(file + "a\n", most: 11)
    #expect(refusal.type == .invalidBody)
    #expect(
      refusal.detail.hasPrefix("Line 12: The file has more than 11 lists, tags, reminders"))
    #expect(refusal.detail.contains("martlet import"))
  }
}
