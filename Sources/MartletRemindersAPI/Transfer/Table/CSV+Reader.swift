import MartletJSON
import MartletLiveAPI
import MartletReminders

extension CSV {
  /// Each byte of the file is looked at a fixed number of times, however its quotation marks lie.
  struct Reader: TransferReader {
    private(set) var line = 0
    /// What has come of a row: within quotation marks a line end is part of the field.
    private var row: [UInt8] = []
    /// Whether a quotation mark in it has no second one yet.
    private var isOpen = false
    /// The line that it begins in.
    private var firstLine = 0
    private var columns: [String] = []
    private var separator = CSV.comma
    /// By the bytes of their titles: to Swift's equality "é" in one scalar and in two are the same.
    private var lists: [[UInt8]: Int] = [:]

    /// A row's notes take up to 400 kB.
    private static let longest = 4 << 20

    mutating func read(
      _ line: UnsafeBufferPointer<UInt8>
    ) throws(APIProblem) -> [TransferRecord] {
      self.line += 1
      if isOpen { row.append(CSV.lineFeed) } else { firstLine = self.line }
      guard row.count + line.count <= Reader.longest else {
        throw APIProblem(.invalidBody, "The row is longer than \(Reader.longest >> 20) MiB.")
      }
      row.append(contentsOf: line)
      if !line.count(where: { $0 == CSV.quote }).isMultiple(of: 2) { isOpen.toggle() }
      if isOpen { return [] }
      defer { row.removeAll(keepingCapacity: true) }
      if row.last == CSV.carriageReturn { row.removeLast() }
      if columns.isEmpty {
        // Spreadsheets put a byte order mark before the first row.
        let names = row[...].trimmingPrefix([0xEF, 0xBB, 0xBF])
        if !names.isEmpty { try begin(names) }
        return []
      }
      return row.isEmpty ? [] : try records()
    }

    private mutating func begin(_ names: ArraySlice<UInt8>) throws(APIProblem) {
      // One more than there are: then one of them is unknown, or there twice.
      separator = CSV.separator(ofNames: names)
      let names = try Row(names, separator: separator, most: CSV.columns.count + 1).fields.map(
        \.text)
      for name in names where !CSV.columns.contains(name) {
        throw APIProblem(
          .invalidBody,
          """
          There is no column \(shown(name)); there are: \(CSV.columns.joined(separator: ", ")). Between them stand commas, \
          semicolons or tabs.
          """
        )
      }
      guard Set(names).count == names.count, names.contains("title") else {
        throw APIProblem(.invalidBody, "Columns are named once each, and title is one of them.")
      }
      columns = names
    }

    private mutating func records() throws(APIProblem) -> [TransferRecord] {
      let row = try Row(row[...], separator: separator, most: columns.count)
      guard row.count == columns.count else {
        throw APIProblem(
          .invalidBody,
          """
          The row has \(Count(row.count, "field")), and there are \(Count(columns.count, "column")), with a \
          \(CSV.name(of: separator)) between them.
          """
        )
      }
      var records: [TransferRecord] = []
      var members: [JSONObject.Member] = []
      var list = RemindersList.defaultTitle
      for (name, field) in zip(columns, row.fields) {
        switch name {
        case "list": if field.isThere { list = field.text }
        case "title": members.append(.init(name: name, value: .string(field.text)))
        default:
          if field.text.isEmpty { continue }
          members.append(.init(name: name, value: Reader.value(name, field.text)))
        }
      }
      let key = Array(list.utf8)
      let id = lists[key] ?? lists.count + 1
      if lists[key] == nil {
        try ListBody.check(title: list, as: "list")
        lists[key] = id
        records.append(.list(TransferList(id: id, title: list)))
      }
      members.append(.init(name: "listID", value: .integer(Int64(id))))
      var body = Body(JSONObject(members: members), calling: "The row")
      let reminder = ReminderBody.transfer(&body)
      try body.finish()
      records.append(.reminder(reminder))
      return records
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
      case "tags": .array(tags(field))
      default: .string(field)
      }
    }

    /// Each once, and no more than a refusal needs.
    private static func tags(_ field: String) -> [JSONValue] {
      var known = ReminderTags()
      var texts: [JSONValue] = []
      var tags = Tags(field)
      while texts.count < 100, !known.areTooMany, let tag = tags.next() {
        if case .success(nil) = known.add(tag) { continue }
        texts.append(.string(tag))
      }
      return texts
    }

    mutating func finish() throws(APIProblem) {
      guard !isOpen else {
        line = firstLine
        throw APIProblem(.invalidBody, "A quotation mark of the row has no second one.")
      }
      guard !columns.isEmpty else {
        throw APIProblem(.invalidBody, "There is nothing in it; its first line names the columns.")
      }
    }
  }
}
