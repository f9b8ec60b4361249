import JSON
import LiveAPI
import Reminders
import SQLite

/// Where lines come from, one after the other.
public protocol TransferLines {
  /// Calls `body` with the next line, without its end; false after the last one.
  mutating func next(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws -> Bool
}

/// Lines that are in memory.
public struct MemoryLines: TransferLines {
  private let bytes: SharedBytes
  private var start = 0

  public init(_ bytes: SharedBytes) { self.bytes = bytes }

  public mutating func next(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws -> Bool {
    let all = bytes.bytes
    guard start < all.count else { return false }
    let end = all[start...].firstIndex(of: 0x0A) ?? all.count
    defer { start = end + 1 }
    try body(UnsafeBufferPointer(rebasing: all[start..<end]))
    return true
  }
}

extension TransferFormat {
  /// Adds what the lines say, all of it or nothing: a fault is thrown with the number of its line, as an
  /// ``APIProblem`` where it is the file's.
  public func importing(
    _ lines: inout some TransferLines, depthLimit: Int = 64, in db: Connection
  ) throws -> TransferCounts {
    var reader = reader(depthLimit: depthLimit)
    var importer = try Importer(in: db)
    do {
      while try lines.next({ line in
        for record in try reader.read(line) { try importer.add(record) }
      }) {}
      try reader.finish()
    } catch {
      throw TransferFormat.refusal(of: error)?.onLine(reader.line) ?? error
    }
    try importer.finish()
    return importer.counts
  }

  private static func refusal(of error: any Error) -> APIProblem? {
    switch error {
    case let problem as APIProblem: problem
    case TransferError.listTwice(let id):
      APIProblem(.invalidBody, "The list \(id) is there twice.")
    case TransferError.unknownList(let id):
      APIProblem(
        .invalidBody, "The list \(id.map(String.init) ?? "of the reminder") has not come before it."
      )
    default: RemindersAPI.problem(of: error)
    }
  }
}

extension APIProblem {
  /// The same, with the number of the line that is at fault.
  fileprivate func onLine(_ number: Int) -> APIProblem {
    guard number > 0 else { return self }
    var problem = self
    problem.detail = "Line \(number): \(detail)"
    return problem
  }
}
