import CMartletSystem
import Dispatch
import Glibc
import Synchronization

/// The program of the courier's process: it reads requests from standard input, and writes results
/// to standard output.
public enum CourierProgram {
  /// Why the program cannot work at all. The server does not start it in such a way.
  public struct Misuse: Error, CustomStringConvertible {
    /// A sentence for a person at a terminal.
    public let description: String
  }

  /// Runs until standard input ends; then it ends the process. It returns by throwing only.
  public static func run() throws(Misuse) -> Never {
    guard isatty(STDIN_FILENO) == 0 else {
      throw Misuse(description: "courier is started by serve; it reads requests, not commands")
    }
    csystem_die_with_parent()
    // A terminal and systemd send these signals to the server's children as well. This one must
    // still work while the server shuts down, and ends with its standard input.
    for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { signal(number, SIG_IGN) }
    // Requests contain secrets, so there are no core files. No folder is kept in use.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    chdir("/")
    // One heap for all threads: with one for each, the memory that a burst of requests has freed
    // would stay in all of them (mallopt(3)).
    mallopt(M_ARENA_MAX, 1)
    var input = Input()
    guard let line = input.next() else { _exit(0) }
    guard let settings = CourierLine.settings(line) else {
      throw Misuse(description: "courier is started by serve; its first line is not settings")
    }
    do {
      try Libraries.load(curl: settings.curlLibrary, crypto: settings.cryptoLibrary)
    } catch {
      write(.unable(error.description))
      _exit(1)
    }
    write(.ready)
    let tokens = PushTokens()
    let senders = Dictionary(
      uniqueKeysWithValues: CourierLane.allCases.map { lane in
        (lane, Senders(settings, tokens, count: lane.concurrency, released: trim))
      })
    while let line = input.next() {
      guard let (id, order) = CourierLine.order(line) else { _exit(2) }
      switch order {
      case .send(let request):
        senders[request.lane]?.send(request) { write(.result(id: id, $0)) }
      case .makeKey:
        write(VAPIDKey.random().map { .key(id: id, $0) } ?? .result(id: id, noKey))
      }
    }
    // Without `exit`, whose handlers would clean up what other threads use.
    _exit(0)
  }

  /// Returns freed memory to the system a little later. Each thread holds some of what it has freed
  /// until it ends, scattered over the heap, and idle threads of libdispatch end after seconds.
  private static func trim() {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(10)) {
      malloc_trim(0)
    }
  }

  private static let noKey = CourierResult(.failed(.init(.courier, "libcrypto makes no key")))

  private static let isWriting = Mutex(())

  /// Writes a line at once. Ends the process if nothing reads it.
  private static func write(_ report: CourierLine.Report) {
    let bytes = CourierLine.bytes(report)
    isWriting.withLock { _ in
      var done = 0
      while done < bytes.count {
        let count = bytes.withUnsafeBytes {
          Glibc.write(STDOUT_FILENO, $0.baseAddress! + done, bytes.count - done)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { _exit(0) }
        done += count
      }
    }
  }

  /// The lines of standard input.
  private struct Input {
    private var reader = LineReader(limit: CourierLine.longestRequest)
    private var lines: [[UInt8]] = []
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    /// The next line; `nil` at the end.
    mutating func next() -> [UInt8]? {
      while lines.isEmpty {
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0, let more = try? reader.lines(buffer[..<count]) else { return nil }
        lines = more.reversed()
      }
      return lines.removeLast()
    }
  }
}
