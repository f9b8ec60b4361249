import JSON
import LiveAPI
import Reminders
import Time

/// Reminders as a table (RFC 4180): the first line names the columns. A list goes by its title; tags stand between
/// semicolons, `\;` is one of a tag's own.
public enum CSV {
  private static let columns = [
    "list", "title", "notes", "dueDate", "priority", "isFlagged", "status", "tags", "createdAt",
    "updatedAt",
  ]

  // MARK: Writing

  struct Writer: TransferWriter {
    private var titles: [Int: String] = [:]

    func begin(into buffer: ByteBuffer) { CSV.write(CSV.columns, into: buffer) }

    mutating func write(_ record: TransferRecord, into buffer: ByteBuffer) {
      switch record {
      case .list(let list): titles[list.id] = list.title
      case .tag: break
      case .reminder(let reminder):
        let values = reminder.values
        let tags = (values.tags ?? []).map { tag in
          tag.split(separator: ";", omittingEmptySubsequences: false).joined(separator: "\\;")
        }
        CSV.write(
          [
            values.listID.flatMap { titles[$0] } ?? "", values.title ?? "", values.notes ?? "",
            (values.dueDate ?? nil).map(ReminderBody.text(ofDue:)) ?? "",
            (values.priority ?? nil)?.label ?? "", values.isFlagged == true ? "true" : "false",
            values.status?.label ?? "", tags.joined(separator: ";"),
            reminder.createdAt.map { RFC3339.string($0) } ?? "",
            reminder.updatedAt.map { RFC3339.string($0) } ?? "",
          ], into: buffer)
      }
    }

    func end(_ counts: TransferCounts, into buffer: ByteBuffer) {}
  }

  private static func write(_ fields: [String], into buffer: ByteBuffer) {
    for (place, field) in fields.enumerated() {
      if place > 0 { buffer.append(UInt8(ascii: ",")) }
      let isPlain = !field.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
      if isPlain {
        buffer.append(utf8: field)
      } else {
        let quoted = field.split(separator: "\"", omittingEmptySubsequences: false)
          .joined(separator: "\"\"")
        buffer.append(utf8: "\"\(quoted)\"")
      }
    }
    buffer.append("\r\n")
  }

  // MARK: Reading

  struct Reader: TransferReader {
    private(set) var line = 0
    /// Of a row that goes over several lines, what has come.
    private var open: [UInt8] = []
    private var columns: [String] = []
    /// By title, in the order in which they came.
    private var lists: [String: Int] = [:]

    /// A row's notes take up to 400 kB.
    private static let longest = 4 << 20

    mutating func read(
      _ line: UnsafeBufferPointer<UInt8>
    ) throws(APIProblem) -> [TransferRecord] {
      self.line += 1
      if !open.isEmpty { open.append(0x0A) }
      open.append(contentsOf: line)
      // Within quotes a line end is part of the field.
      guard open.count(where: { $0 == 0x22 }).isMultiple(of: 2) else {
        guard open.count <= Reader.longest else {
          throw APIProblem(.invalidBody, "The row is longer than \(Reader.longest >> 20) MiB.")
        }
        return []
      }
      if open.last == 0x0D { open.removeLast() }
      defer { open.removeAll(keepingCapacity: true) }
      if open.isEmpty { return [] }
      guard let text = String(validating: open, as: UTF8.self) else {
        throw APIProblem(.invalidBody, "The row is not UTF-8.")
      }
      let fields = try CSV.fields(text)
      if columns.isEmpty {
        try begin(fields)
        return []
      }
      return try records(fields)
    }

    private mutating func begin(_ fields: [String]) throws(APIProblem) {
      var names = fields
      // Spreadsheets put a byte order mark before the first one.
      if names[0].unicodeScalars.first == "\u{FEFF}" {
        names[0] = String(names[0].unicodeScalars.dropFirst())
      }
      for name in names where !CSV.columns.contains(name) {
        throw APIProblem(
          .invalidBody,
          "There is no column \"\(name)\"; there are: \(CSV.columns.joined(separator: ", ")).")
      }
      guard Set(names).count == names.count, names.contains("title") else {
        throw APIProblem(.invalidBody, "Columns are named once each, and title is one of them.")
      }
      columns = names
    }

    private mutating func records(_ fields: [String]) throws(APIProblem) -> [TransferRecord] {
      guard fields.count == columns.count else {
        throw APIProblem(
          .invalidBody,
          "The row has \(fields.count) fields, and there are \(columns.count) columns.")
      }
      var records: [TransferRecord] = []
      var members: [JSONObject.Member] = []
      var list = RemindersList.defaultTitle
      for (name, field) in zip(columns, fields) where name == "title" || !field.isEmpty {
        if name == "list" {
          list = field
        } else {
          members.append(.init(name: name, value: CSV.value(name, field)))
        }
      }
      let id = lists[list] ?? lists.count + 1
      if lists[list] == nil {
        lists[list] = id
        records.append(.list(TransferList(id: id, title: list)))
      }
      members.append(.init(name: "listID", value: .integer(Int64(id))))
      var body = Body(JSONObject(members: members))
      let reminder = try ReminderBody.transfer(&body)
      try body.finish()
      records.append(.reminder(reminder))
      return records
    }

    func finish() throws(APIProblem) {
      guard open.isEmpty else {
        throw APIProblem(.invalidBody, "A quotation mark has no second one.")
      }
      guard !columns.isEmpty else {
        throw APIProblem(.invalidBody, "There is nothing in it; its first line names the columns.")
      }
    }
  }

  /// What a field says, as JSON would say it.
  private static func value(_ name: String, _ field: String) -> JSONValue {
    switch name {
    case "isFlagged":
      switch field.lowercased() {
      case "true", "yes", "1": .bool(true)
      case "false", "no", "0": .bool(false)
      default: .string(field)
      }
    case "tags": .array(tags(field).map { .string($0) })
    default: .string(field)
    }
  }

  private static func tags(_ field: String) -> [String] {
    var tags = [""]
    var isEscaped = false
    for character in field.unicodeScalars {
      switch character {
      case ";" where !isEscaped: tags.append("")
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      default:
        if isEscaped, character != ";" { tags[tags.count - 1].unicodeScalars.append("\\") }
        tags[tags.count - 1].unicodeScalars.append(character)
      }
      isEscaped = false
    }
    if isEscaped { tags[tags.count - 1] += "\\" }
    return tags.map { tag in
      let start = tag.drop { $0 == " " }
      return String(start.reversed().drop { $0 == " " }.reversed())
    }.filter { !$0.isEmpty }
  }

  /// A row's fields, without their quotation marks.
  private static func fields(_ row: String) throws(APIProblem) -> [String] {
    var fields: [String] = []
    var rest = row.unicodeScalars[...]
    while true {
      var field = String.UnicodeScalarView()
      if rest.first == "\"" {
        rest.removeFirst()
        while let character = rest.popFirst() {
          if character != "\"" {
            field.append(character)
          } else if rest.first == "\"" {
            field.append(character)
            rest.removeFirst()
          } else {
            break
          }
        }
        guard rest.isEmpty || rest.first == "," else {
          throw APIProblem(
            .invalidBody, "Behind the quotation mark of a field comes a comma, or the row's end.")
        }
      } else {
        while let character = rest.first, character != "," {
          guard character != "\"" else {
            throw APIProblem(.invalidBody, "A field with a quotation mark begins with one.")
          }
          field.append(character)
          rest.removeFirst()
        }
      }
      fields.append(String(field))
      guard rest.popFirst() != nil else { return fields }
    }
  }
}
