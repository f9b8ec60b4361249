import Foundation
import MartletCourier
import MartletTesting

/// A program that a test runs. Its standard output is read through a pipe; its standard error goes
/// to a file, so that an unread pipe cannot block the program.
public final class ChildProcess {
  /// A program could not be started, or did not respond in time.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
  }

  /// How a program ended, and its output.
  public struct Result: Sendable {
    /// The exit code; 128 plus the signal's number if a signal ended the program.
    public let code: Int32
    /// The part of standard output that was not read before.
    public let output: String
    /// All of standard error.
    public let errors: String
  }

  /// The process ID.
  public let pid: pid_t
  private let output: Int32
  private let errorFile: String
  private var unread: [UInt8] = []
  private var endCode: Int32?

  /// Starts `executable` in `folder`. It gets the environment variables that a program needs to
  /// run, and the ones in `environment`.
  public init(
    _ executable: String, _ arguments: [String], environment: [String: String] = [:],
    folder: TemporaryFolder
  ) throws {
    errorFile = folder.file("stderr-\(UUID().uuidString)")
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure(description: "no pipe: \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = ends[0]
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, errorFile, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    // Closes sockets of other tests, which would otherwise stay open while this program runs.
    try SpawnAction.close(from: 3, &actions)
    try SpawnAction.changeFolder(folder.path, &actions)
    let own = ProcessInfo.processInfo.environment
    var variables = own.filter { ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"].contains($0.key) }
    variables.merge(environment) { $1 }
    let (code, id) = SpawnedProcess.spawn(
      executable, [executable] + arguments,
      variables: variables.map { "\($0.key)=\($0.value)" }, &actions)
    guard code == 0 else {
      close(ends[0])
      throw Failure(description: "\(executable): \(String(cString: strerror(code)))")
    }
    pid = id
  }

  deinit {
    if endCode == nil {
      kill(pid, SIGKILL)
      _ = reap()
    }
    close(output)
  }

  /// Returns the next line of standard output; `nil` at its end. Throws after `seconds`.
  public func line(within seconds: Double = Deadline.hang) throws -> String? {
    let deadline = Deadline(seconds)
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeFirst(end + 1) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      guard try readMore(deadline) else {
        guard !unread.isEmpty else { return nil }
        defer { unread = [] }
        return String(decoding: unread, as: UTF8.self)
      }
    }
  }

  /// Returns the available standard output that was not read yet.
  public func waitingOutput() throws -> String {
    while try isReadable(Deadline(0)), try readMore(Deadline(1)) {}
    return String(decoding: unread, as: UTF8.self)
  }

  /// Waits for more output. Returns false at its end, and throws after `seconds`.
  public func waitForOutput(within seconds: Double = Deadline.hang) throws -> Bool {
    try readMore(Deadline(seconds))
  }

  /// Waits for the program to exit. Kills it and throws after `seconds`.
  public func wait(within seconds: Double = Deadline.hang) throws -> Result {
    let deadline = Deadline(seconds)
    do {
      while try readMore(deadline) {}
    } catch {
      kill(pid, SIGKILL)
      _ = reap()
      throw Failure(description: "\(error)\n\(errors)")
    }
    return Result(
      code: reap(), output: String(decoding: unread, as: UTF8.self), errors: errors)
  }

  /// The standard error so far.
  public var errors: String { (try? String(contentsOfFile: errorFile, encoding: .utf8)) ?? "" }

  /// Sends a signal to the program, unless it has ended.
  public func signal(_ number: Int32) { if endCode == nil { kill(pid, number) } }

  private func isReadable(_ deadline: Deadline) throws -> Bool {
    var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&entry, 1, deadline.milliseconds)
      if count < 0, errno == EINTR { continue }
      return count > 0
    }
  }

  /// Reads more output. Returns false at its end.
  private func readMore(_ deadline: Deadline) throws -> Bool {
    guard try isReadable(deadline) else {
      throw Failure(description: "process \(pid) says nothing more, and does not end")
    }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(output, &bytes, bytes.count)
    guard count > 0 else { return false }
    unread += bytes[..<count]
    return true
  }

  private func reap() -> Int32 {
    if let endCode { return endCode }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    let code = signal == 0 ? status >> 8 & 0xFF : 128 + signal
    endCode = code
    return code
  }
}

/// Extensions of glibc to `posix_spawn`. Its headers declare them only for `_GNU_SOURCE`, which
/// Swift does not define.
private enum SpawnAction {
  typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>

  static func close(from descriptor: Int32, _ actions: Actions) throws {
    let call: @convention(c) (Actions, Int32) -> Int32 = try find(
      "posix_spawn_file_actions_addclosefrom_np")
    _ = call(actions, descriptor)
  }

  static func changeFolder(_ path: String, _ actions: Actions) throws {
    let call: @convention(c) (Actions, UnsafePointer<CChar>) -> Int32 = try find(
      "posix_spawn_file_actions_addchdir_np")
    _ = call(actions, path)
  }

  private static func find<T>(_ name: String) throws -> T {
    guard let symbol = dlsym(nil, name) else {
      throw ChildProcess.Failure(description: "this C library has no \(name)")
    }
    return unsafeBitCast(symbol, to: T.self)
  }
}
