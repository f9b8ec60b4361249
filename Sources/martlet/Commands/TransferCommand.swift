import Glibc
import JSON
import LiveAPI
import Reminders
import RemindersAPI
import SQLite
import Store

/// `martlet export` and `martlet import FILE`
enum TransferCommand {
  /// To standard output, as it is at one moment; also while it is served.
  static func export(_ values: Values) throws {
    let path = values.text(.database)
    let format: TransferFormat = try values.oneOf(.format)
    let db = try DatabaseFile.reading(path)
    defer { db.close() }
    guard try RemindersDatabase.pendingMigrations(db).isEmpty else {
      throw Failure(
        "\(path) is of an older version; martlet migrate --database \(path) brings it up to date")
    }
    try db.execute("BEGIN")
    let total = Double(try db.value("SELECT count(*) FROM reminders")?.integer ?? 0)
    let progress = ProgressLine("exporting")
    defer { progress.end() }
    let output = OutputFile(STDOUT_FILENO)
    var writer = format.writer()
    writer.begin(into: output.buffer)
    var done = 0.0
    let counts = try Exporter.export(in: db) { record in
      writer.write(record, into: output.buffer)
      try output.writeIfFull()
      done += 1
      if total > 0 { progress.show(min(done / total, 1)) }
    }
    writer.end(counts, into: output.buffer)
    try output.write()
    Output.line(describe(counts), to: STDERR_FILENO)
  }

  /// All of the file or nothing.
  static func `import`(_ values: Values) throws {
    let path = values.text(.database)
    let file = try values.operand()
    let format: TransferFormat = try values.oneOf(.format)
    try DatabaseFile.prepare(path)
    try RemindersDatabase.migrate(path: path)
    let counts = try DatabaseFile.withDatabase(path) { database in
      let progress = ProgressLine("importing")
      defer { progress.end() }
      do {
        return try database.write { db in
          // Opened anew where the write has to be done again.
          var lines = try FileLines(file) { progress.show($0) }
          return try format.importing(&lines, in: db)
        }
      } catch let problem as APIProblem {
        let details = problem.errors.map { error in
          guard case .pointer(let place) = error.place else { return error.detail }
          return "\(place) \(error.detail)"
        }
        throw Failure(
          (["\(file): \(problem.detail)"] + details).joined(separator: "\n  ")
            + "\nNothing was imported.")
      }
    }
    print(describe(counts))
  }

  private static func describe(_ counts: TransferCounts) -> String {
    "\(counts.lists) lists, \(counts.tags) tags, \(counts.reminders) reminders"
  }
}

/// Bytes that are gathered and written to a descriptor.
private final class OutputFile {
  let buffer = ByteBuffer(capacity: 1 << 16)
  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func writeIfFull() throws {
    if buffer.count >= 1 << 16 { try write() }
  }

  func write() throws {
    guard Output.write(UnsafeRawBufferPointer(buffer.bytes), to: descriptor) == buffer.count else {
      throw Failure("the export cannot be written: \(String(cString: strerror(errno)))")
    }
    buffer.removeAll()
  }
}

/// The lines of a file, one in memory at a time, and none that is too long.
final class FileLines: TransferLines {
  /// A reminder's notes take up to 600 kB as JSON.
  private static let longest = 4 << 20

  private let path: String
  private let descriptor: Int32
  private let size: Int
  private let progress: (Double) -> Void
  private var buffer: [UInt8] = []
  /// What was given of the buffer.
  private var start = 0
  private var done = 0

  init(_ path: String, progress: @escaping (Double) -> Void) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure("\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    self.path = path
    self.progress = progress
    var status = stat()
    size = fstat(descriptor, &status) == 0 ? status.st_size : 0
  }

  deinit { close(descriptor) }

  func next(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws -> Bool {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) { return try give(end, body) }
      searched = buffer.count
      guard searched - start <= FileLines.longest else {
        throw APIProblem(.invalidBody, "It is longer than \(FileLines.longest >> 20) MiB.")
      }
      let before = start
      guard try readMore() else {
        return start < buffer.count ? try give(buffer.count, body) : false
      }
      searched -= before
    }
  }

  /// The line up to `end`.
  private func give(
    _ end: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws -> Bool {
    let line = start..<end
    start = min(end + 1, buffer.count)
    try buffer.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[line])) }
    return true
  }

  /// False at the end. What was given goes.
  private func readMore() throws -> Bool {
    buffer.removeFirst(start)
    start = 0
    let more = 1 << 16
    let before = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: more))
    var count = -1
    repeat {
      count = buffer.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress! + before, more)
      }
    } while count < 0 && errno == EINTR
    buffer.removeLast(more - max(count, 0))
    guard count >= 0 else {
      throw Failure("\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    done += count
    if size > 0 { progress(min(Double(done) / Double(size), 1)) }
    return count > 0
  }
}
