import MartletJSON
import MartletLiveAPI
import MartletReminders

extension CSV {
  /// Reads a table in linear time.
  ///
  /// Each byte is visited a constant number of times, whatever quotation marks the file has.
  struct Reader: TransferReader {
    private(set) var line = 0
    /// The bytes of the current row so far. A line break in quotation marks is part of a field.
    private var row: [UInt8] = []
    /// Whether a quotation mark in the row is not closed yet.
    private var isOpen = false
    /// The line in which the row begins.
    private var firstLine = 0
    private var columns: [String] = []
    /// The byte between fields: of a line `sep=;`, or as the names have it.
    private var separator: UInt8?
    /// The IDs of the lists by the bytes of their titles.
    ///
    /// Swift's string equality is canonical: "é" as one scalar and as two would be the same list.
    private var lists: [[UInt8]: Int] = [:]

    /// The maximum length of a row in bytes. The notes of a reminder take up to 400 kB.
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
        // Spreadsheets write a byte order mark before the first row.
        let names = row[...].trimmingPrefix([0xEF, 0xBB, 0xBF])
        if separator == nil, let said = CSV.separator(ofLine: names) {
          separator = said
        } else if !isBlank(names) {
          try begin(names)
        }
        return []
      }
      return isBlank(row[...]) ? [] : try records()
    }

    /// Whether a row has no values, as spreadsheets write the rows below a table.
    private func isBlank(_ row: ArraySlice<UInt8>) -> Bool {
      row.allSatisfy { byte in
        byte == 0x20 || byte == separator
          || separator == nil && CSV.separators.contains { $0.0 == byte }
      }
    }

    private mutating func begin(_ line: ArraySlice<UInt8>) throws(APIProblem) {
      let separator = separator ?? CSV.separator(ofNames: line)
      self.separator = separator
      // One more name than there are columns: then one of them is unknown or a duplicate.
      let row = try Row(line, separator: separator, most: CSV.columns.count + 1)
      var fields = row.fields.map(\.text)
      // Spreadsheets write columns beyond the last name.
      while row.isRestEmpty, fields.last?.utf8.allSatisfy({ $0 == 0x20 }) == true {
        fields.removeLast()
      }
      let names = fields.map { CSV.column($0.utf8) ?? $0 }
      for name in names where !CSV.columns.contains(name) {
        throw APIProblem(
          .invalidBody,
          """
          There is no column \(shown(name)). The columns are \(CSV.columns.joined(separator: ", ")), separated by commas, \
          semicolons or tabs.
          """
        )
      }
      guard Set(names).count == names.count, names.contains("title") else {
        throw APIProblem(
          .invalidBody, "Each column may appear once, and the column title is required.")
      }
      columns = names
    }

    private mutating func records() throws(APIProblem) -> [TransferRecord] {
      let separator = separator ?? CSV.comma
      let row = try Row(row[...], separator: separator, most: columns.count)
      guard row.count >= columns.count, row.isRestEmpty else {
        throw APIProblem(
          .invalidBody,
          """
          The row has \(Count(row.count, "field")), but there are \(Count(columns.count, "column")); the separator is a \
          \(CSV.name(of: separator)).
          """
        )
      }
      var records: [TransferRecord] = []
      var members: [JSONObject.Member] = []
      var recurrence: [JSONObject.Member] = []
      var list = RemindersList.defaultTitle
      for (name, field) in zip(columns, row.fields) {
        switch name {
        case "list": if field.isThere { list = field.text }
        case "title": members.append(.init(name: name, value: .string(field.text)))
        case "recurrence", "basis", "recurrenceStart", "excluded":
          if field.text.isEmpty { continue }
          recurrence.append(Reader.recurrence(name, field.text))
        default:
          if field.text.isEmpty { continue }
          members.append(.init(name: name, value: Reader.value(name, field.text)))
        }
      }
      if !recurrence.isEmpty {
        members.append(.init(name: "recurrence", value: .object(JSONObject(members: recurrence))))
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

    /// The member of a recurrence in a field.
    private static func recurrence(_ name: String, _ field: String) -> JSONObject.Member {
      switch name {
      case "recurrence": .init(name: "rule", value: .string(field))
      case "recurrenceStart": .init(name: "start", value: .string(field))
      case "excluded":
        .init(
          name: name,
          // One more than allowed is enough to refuse the row.
          value: .array(
            field.split(separator: ";", maxSplits: Recurrence.mostExcluded)
              .map { .string(String($0)) }))
      default: .init(name: name, value: .string(field))
      }
    }

    /// The value of a field as JSON.
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

    /// The tags of a field without duplicates, and not more than are needed to refuse the row.
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
        throw APIProblem(.invalidBody, "A quotation mark is not closed in this row.")
      }
      guard !columns.isEmpty else {
        throw APIProblem(.invalidBody, "The file is empty; its first line must name the columns.")
      }
    }
  }
}
