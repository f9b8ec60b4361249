import Glibc
import MartletLiveAPI
import MartletRemindersAPI

/// A file to import, which can be read more than once.
///
/// Input that can be read only once (a pipe, a terminal) is first copied to an unnamed temporary
/// file, so that a slow sender does not keep the database locked.
final class TransferFile {
  /// The name of the file in messages.
  let name: String
  private let descriptor: Int32
  private let size: Int

  /// Opens the file, or copies its contents if they can be read only once.
  ///
  /// - Parameters:
  ///   - operand: A path, or `-` for standard input.
  ///   - database: The path of the database. A copy is made in its folder, which needs space for
  ///     the
  ///     imported rows anyway.
  init(_ operand: String, copiedBeside database: String) throws {
    let isInput = operand == "-"
    name = isInput ? "standard input" : operand
    let file =
      isInput ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(operand, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw TransferFile.failure(name) }
    var status = stat()
    guard fstat(file, &status) == 0 else {
      defer { close(file) }
      throw TransferFile.failure(name)
    }
    // If standard input is a file that was partly read, only the rest is imported.
    if status.st_mode & S_IFMT == S_IFREG, lseek(file, 0, SEEK_CUR) == 0 {
      (descriptor, size) = (file, status.st_size)
    } else {
      defer { close(file) }
      (descriptor, size) = try TransferFile.copy(of: file, name, beside: database)
    }
  }

  deinit { close(descriptor) }

  /// The first bytes, at most 4 KiB.
  func head() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = try bytes.withUnsafeMutableBytes {
      try TransferFile.read(descriptor, into: $0, at: 0, name)
    }
    return Array(bytes[..<count])
  }

  /// All bytes; `nil` if there are more than `limit`.
  func content(upTo limit: Int) throws -> [UInt8]? {
    guard size <= limit else { return nil }
    var bytes = [UInt8](repeating: 0, count: size)
    var done = 0
    try bytes.withUnsafeMutableBytes { memory in
      while done < size {
        let rest = UnsafeMutableRawBufferPointer(rebasing: memory[done...])
        let count = try TransferFile.read(descriptor, into: rest, at: done, name)
        guard count > 0 else { break }
        done += count
      }
    }
    bytes.removeLast(size - done)
    return bytes
  }

  /// The lines of the file, from the first one.
  ///
  /// - Parameter progress: Called with the part of the file that was read, from 0 to 1.
  func lines(_ progress: @escaping (Double) -> Void) -> FileLines {
    FileLines { [name, descriptor, size] memory, place in
      let count = try TransferFile.read(descriptor, into: memory, at: place, name)
      if size > 0 { progress(min(Double(place + count) / Double(size), 1)) }
      return count
    }
  }

  private static func copy(
    of file: Int32, _ name: String, beside database: String
  ) throws -> (Int32, size: Int) {
    var template = Array("\(database).import-XXXXXX".utf8CString)
    let copy = mkstemp(&template)
    guard copy >= 0 else { throw failure(name, copying: true) }
    unlink(template)
    _ = fcntl(copy, F_SETFD, FD_CLOEXEC)
    do {
      var size = 0
      try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { memory in
        while case let count = try read(file, into: memory, at: nil, name), count > 0 {
          let bytes = UnsafeRawBufferPointer(rebasing: memory[..<count])
          guard Output.write(bytes, to: copy) == count else { throw failure(name, copying: true) }
          size += count
        }
      }
      return (copy, size)
    } catch {
      close(copy)
      throw error
    }
  }

  /// Reads bytes and returns their number; 0 at the end.
  ///
  /// - Parameter place: The offset in the file; `nil` reads from the current position.
  private static func read(
    _ descriptor: Int32, into memory: UnsafeMutableRawBufferPointer, at place: Int?, _ name: String
  ) throws -> Int {
    var count = -1
    repeat {
      count =
        if let place {
          pread(descriptor, memory.baseAddress, memory.count, off_t(place))
        } else {
          Glibc.read(descriptor, memory.baseAddress, memory.count)
        }
    } while count < 0 && errno == EINTR
    guard count >= 0 else { throw failure(name) }
    return count
  }

  private static func failure(_ name: String, copying: Bool = false) -> Failure {
    let what = copying ? "cannot be copied to the folder of the database" : "cannot be read"
    return Failure("\(name) \(what): \(FileRemedy.cause(copying ? "the database" : name))")
  }
}

/// The lines of a file, of which one at a time is in memory. A line that is too long is an error.
struct FileLines: TransferLines {
  /// Reads bytes at an offset of the file and returns their number.
  typealias Read = (UnsafeMutableRawBufferPointer, _ place: Int) throws -> Int

  /// The maximum length of a line in bytes. The notes of a reminder take up to 600 kB as JSON.
  private static let longest = 4 << 20

  private let read: Read
  private var buffer: [UInt8] = []
  /// The number of bytes of the buffer that were passed on.
  private var start = 0
  /// The number of bytes of the file that were read.
  private var done = 0

  init(_ read: @escaping Read) { self.read = read }

  mutating func next(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws -> Bool {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) { return try give(end, body) }
      searched = buffer.count
      guard searched - start <= FileLines.longest else {
        throw APIProblem(.invalidBody, "The line is longer than \(FileLines.longest >> 20) MiB.")
      }
      let before = start
      guard try readMore() else {
        return start < buffer.count ? try give(buffer.count, body) : false
      }
      searched -= before
    }
  }

  /// Passes on the line up to `end`.
  private mutating func give(
    _ end: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws -> Bool {
    let line = start..<end
    start = min(end + 1, buffer.count)
    try buffer.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[line])) }
    return true
  }

  /// Drops what was passed on and reads more. Returns `false` at the end of the file.
  private mutating func readMore() throws -> Bool {
    buffer.removeFirst(start)
    start = 0
    let more = 1 << 16
    let before = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: more))
    var count = 0
    defer { buffer.removeLast(more - count) }
    count = try buffer.withUnsafeMutableBytes {
      try read(UnsafeMutableRawBufferPointer(rebasing: $0[before...]), done)
    }
    done += count
    return count > 0
  }
}
