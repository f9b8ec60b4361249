import Glibc
import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletRemindersAPI
import MartletSQLite
import MartletStore
import MartletTime

/// The commands `martlet export` and `martlet import FILE`.
enum TransferCommand {
  /// Writes a consistent snapshot of the database to standard output. The server may be running.
  static func export(_ values: Values) throws {
    let path = values.text(.database)
    let format: TransferFormat = try values.oneOf(.format)
    let zone = try ZoneSetting(values).house
    let list = values.isGiven(.exportedList) ? try values.integer(.exportedList) : nil
    let db = try DatabaseFile.readingCurrent(path)
    defer { db.close() }
    try db.execute("BEGIN")
    if let list, try !RemindersList.exists(list, in: db) {
      throw Failure("there is no list \(list); GET /v1/lists and martlet export show the IDs")
    }
    let total = Double(try db.value("SELECT count(*) FROM reminders")?.integer ?? 0)
    let progress = ProgressLine("exporting")
    defer { progress.end() }
    let output = OutputFile(STDOUT_FILENO)
    var writer = format.writer(house: zone)
    writer.begin(into: output.buffer)
    var done = 0.0
    let counts = try Exporter.export(among: list.map { .only([$0]) } ?? .all, in: db) {
      record in
      writer.write(record, into: output.buffer)
      try output.writeIfFull()
      done += 1
      if total > 0 { progress.show(min(done / total, 1)) }
    }
    writer.end(counts, into: output.buffer)
    try output.write()
    // Tables and calendars have no separate records for lists and tags.
    Output.line(
      format == .ndjson ? Import.describe(counts) : "\(Count(counts.reminders, "reminder"))",
      to: STDERR_FILENO)
  }

  /// Imports the file in one transaction.
  ///
  /// The file is read twice, so that an error in it is found before the database is locked.
  static func `import`(_ values: Values) throws {
    let path = values.text(.database)
    let operand = try values.operand(orStandardInput: true)
    let told: TransferFormat? = try values.oneOf(.importFormat, or: "auto")
    let zone = try ZoneSetting(values).house
    try DatabaseFile.prepare(path)
    let updates = values.isOn(.update)
    let file = try TransferFile(operand, copiedBeside: path)
    let name = file.name
    guard let format = try told ?? TransferFormat(guessing: name, head: file.head()) else {
      throw Failure(
        """
        \(name) has an unknown format: going by its name and its first bytes, it is neither NDJSON, nor a table with a \
        column title, nor an iCalendar file. Name the format with --format. Nothing was imported.
        """)
    }
    guard !updates || format.canUpdate else {
      throw UsageError(
        "--update is possible for an iCalendar file only, not \(format.rawValue); nothing was imported"
      )
    }
    do {
      try read(file, format, zone, as: "checking")
      if DatabaseFile.isOfCluster(path) { return try send(file, format, zone, values) }
      try DatabaseFile.migrate(path)
      print(
        try DatabaseFile.withDatabase(path) { database in
          try Import.insert(in: database, zone, updates: updates) {
            try read(file, format, zone, as: "importing", $0)
          }
        })
    } catch {
      throw Import.explained(error, name)
    }
  }

  /// Imports a file by way of the primary of the cluster.
  private static func send(
    _ file: TransferFile, _ format: TransferFormat, _ zone: ZoneInfo, _ values: Values
  ) throws {
    guard let content = try file.content(upTo: NodeTransfers.importLimit) else {
      throw Failure(
        "\(file.name) is larger than \(NodeTransfers.importLimit >> 20) MiB, which is too much for one change of a cluster: split it, or import it into a single database, and restore a backup of that. Nothing was imported."
      )
    }
    let target = NodeTransfers.importTarget(format, zone, updates: values.isOn(.update))
    print(
      try NodeControl(values).onPrimary(.post, target, body: SharedBytes(content)), terminator: "")
  }

  private static func read(
    _ file: TransferFile, _ format: TransferFormat, _ zone: ZoneInfo, as step: String,
    _ body: (TransferRecord) throws -> Void = { _ in }
  ) throws {
    let progress = ProgressLine(step)
    defer { progress.end() }
    var lines = file.lines { progress.show($0) }
    try format.read(&lines, house: zone, body)
  }
}

/// A buffer that is written to a descriptor in large pieces.
private final class OutputFile {
  let buffer = ByteBuffer(capacity: 1 << 16)
  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func writeIfFull() throws {
    if buffer.count >= 1 << 16 { try write() }
  }

  func write() throws {
    guard Output.write(UnsafeRawBufferPointer(buffer.bytes), to: descriptor) == buffer.count else {
      throw Failure("the export cannot be written: \(FileRemedy.cause("standard output"))")
    }
    buffer.removeAll()
  }
}
