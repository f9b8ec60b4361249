import MartletJSON
import MartletReminders
import MartletTime

extension CSV {
  /// Writes a table.
  struct Writer: TransferWriter {
    private var titles: [Int: String] = [:]

    func begin(into buffer: ByteBuffer) {
      for (place, name) in CSV.columns.enumerated() {
        if place > 0 { buffer.append(CSV.comma) }
        Writer.write(name, into: buffer)
      }
      buffer.append("\r\n")
    }

    mutating func write(_ record: TransferRecord, into buffer: ByteBuffer) {
      switch record {
      case .list(let list): titles[list.id] = list.title
      case .tag, .completion, .occurrence, .smartList: break
      case .reminder(let reminder): write(reminder, into: buffer)
      }
    }

    func end(_ counts: TransferCounts, into buffer: ByteBuffer) {}

    private func write(_ reminder: TransferReminder, into buffer: ByteBuffer) {
      let values = reminder.values
      let list = values.listID.flatMap { titles[$0] }
      // An empty field means no list, so the empty title of a list is quoted.
      Writer.write(list ?? "", isQuoted: list?.isEmpty == true, into: buffer)
      let (start, due) = (values.startDate ?? nil, values.dueDate ?? nil)
      let (recurrence, priority) = (values.recurrence ?? nil, values.priority ?? nil)
      let fields: [String?] = [
        values.title, values.notes, start?.description, due?.description, values.timeZone ?? nil,
        recurrence?.rule?.description, recurrence?.basis?.label,
        recurrence?.start.flatMap { $0 }?.description,
        (recurrence?.excluded ?? []).map(\.description).joined(separator: ";"), priority?.label,
        values.isFlagged == true ? "true" : "false", values.status?.label,
        reminder.completedAt?.description, Tags.field(of: values.tags ?? []),
        reminder.createdAt?.description,
        reminder.updatedAt?.description,
      ]
      for field in fields {
        buffer.append(CSV.comma)
        Writer.write(field ?? "", into: buffer)
      }
      buffer.append("\r\n")
    }

    private static func write(
      _ field: String, isQuoted: Bool = false, into buffer: ByteBuffer
    ) {
      guard isQuoted || field.utf8.contains(where: needsQuotes) else {
        buffer.append(utf8: field)
        return
      }
      buffer.append(CSV.quote)
      for byte in field.utf8 {
        if byte == CSV.quote { buffer.append(byte) }
        buffer.append(byte)
      }
      buffer.append(CSV.quote)
    }

    private static func needsQuotes(_ byte: UInt8) -> Bool {
      switch byte {
      case CSV.quote, CSV.comma, CSV.carriageReturn, CSV.lineFeed: true
      default: false
      }
    }
  }
}
