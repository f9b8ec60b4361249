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
    guard access(path, F_OK) == 0 else { throw Failure("there is no database at \(path)") }
    try RemindersDatabase.migrate(path: path)
    let counts = try KeyCommand.withDatabase(path) { database in
      try database.read { db in
        let total = try db.value("SELECT count(*) FROM reminders")?.integer ?? 0
        let progress = ProgressLine("exporting")
        defer { progress.end() }
        let output = OutputFile(STDOUT_FILENO)
        NDJSON.begin(into: output.buffer)
        var done = 0
        let counts = try Exporter.export(in: db) { record in
          NDJSON.write(record, into: output.buffer)
          try output.writeIfFull()
          done += 1
          if done % 1000 == 0, total > 0 { progress.show(min(Double(done) / Double(total), 1)) }
        }
        NDJSON.end(counts, into: output.buffer)
        try output.write()
        return counts
      }
    }
    Output.line(describe(counts), to: STDERR_FILENO)
  }

  /// All of the file or nothing.
  static func `import`(_ values: Values) throws {
    let path = values.text(.database)
    let file = try values.operand()
    try DatabaseFile.prepare(path)
    try RemindersDatabase.migrate(path: path)
    let counts = try KeyCommand.withDatabase(path) { database in
      let progress = ProgressLine("importing")
      defer { progress.end() }
      do {
        return try database.write { db in
          // Opened anew where the write has to be done again.
          var lines = try FileLines(file) { progress.show($0) }
          return try NDJSON.importing(&lines, in: db)
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
    var rest = UnsafeRawBufferPointer(buffer.bytes)
    while let start = rest.baseAddress, !rest.isEmpty {
      let count = Glibc.write(descriptor, start, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw Failure("the export cannot be written: \(String(cString: strerror(errno)))")
      }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
    buffer.removeAll()
  }
}

/// The lines of a file, one in memory at a time.
final class FileLines: TransferLines {
  /// A reminder's notes take up to 600 kB as JSON.
  private static let longest = 4 << 20

  private let path: String
  private let file: UnsafeMutablePointer<FILE>
  private let size: Int
  private let progress: (Double) -> Void
  private var line: UnsafeMutablePointer<CChar>?
  private var capacity = 0
  private var done = 0

  init(_ path: String, progress: @escaping (Double) -> Void) throws {
    guard let file = fopen(path, "r") else {
      throw Failure("\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    self.path = path
    self.file = file
    self.progress = progress
    var status = stat()
    size = fstat(fileno(file), &status) == 0 ? status.st_size : 0
  }

  deinit {
    free(line)
    fclose(file)
  }

  func next(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws -> Bool {
    var count = getline(&line, &capacity, file)
    guard count >= 0, let line else {
      guard ferror(file) == 0 else { throw Failure("\(path) cannot be read") }
      return false
    }
    done += count
    if size > 0 { progress(min(Double(done) / Double(size), 1)) }
    if count > 0, line[count - 1] == 0x0A { count -= 1 }
    guard count <= FileLines.longest else {
      throw APIProblem(.invalidBody, "It is longer than \(FileLines.longest >> 20) MiB.")
    }
    try line.withMemoryRebound(to: UInt8.self, capacity: count) {
      try body(UnsafeBufferPointer(start: $0, count: count))
    }
    return true
  }
}
