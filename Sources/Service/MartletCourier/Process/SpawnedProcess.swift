import CMartletSystem
import Glibc

/// A child process with its standard input and output as pipes, and no other descriptors of this
/// process. Its standard error is that of this process.
///
/// It dies with the thread that created it, so that thread must wait for it.
package struct SpawnedProcess {
  /// Why there is no process.
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ call: String, _ code: Int32) {
      description = "\(call): \(String(cString: strerror(code)))"
    }
  }

  let id: pid_t
  /// The write end of its standard input; it never blocks.
  let input: Int32
  /// The read end of its standard output; it never blocks.
  let output: Int32

  init(_ executable: String, _ arguments: [String]) throws(Failure) {
    let input = try SpawnedProcess.pipe()
    let output: (read: Int32, write: Int32)
    do {
      output = try SpawnedProcess.pipe()
    } catch {
      for end in [input.read, input.write] { close(end) }
      throw error
    }
    defer { for end in [input.read, output.write] { close(end) } }
    let (code, id) = SpawnedProcess.spawn(
      executable, arguments, input: input.read, output: output.write)
    guard code == 0 else {
      for end in [input.write, output.read] { close(end) }
      throw Failure(executable, code)
    }
    for end in [input.write, output.read] {
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
    }
    self.id = id
    self.input = input.write
    self.output = output.read
  }

  /// A pipe that no other child process inherits.
  static func pipe() throws(Failure) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard csystem_pipe(&ends) == 0 else { throw Failure("pipe", errno) }
    // A process started without standard streams gets their numbers, which the child's would
    // replace.
    for place in ends.indices where ends[place] <= STDERR_FILENO {
      let copy = fcntl(ends[place], F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
      let code = errno
      close(ends[place])
      ends[place] = copy
      guard copy >= 0 else {
        close(ends[1 - place])
        throw Failure("pipe", code)
      }
    }
    return (ends[0], ends[1])
  }

  private static func spawn(
    _ executable: String, _ arguments: [String], input: Int32, output: Int32
  ) -> (code: Int32, id: pid_t) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    // The environment has proxies, credentials and settings that are not for this process.
    let kept = getenv("LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH=\(String(cString: $0))"] } ?? []
    return spawn(executable, ["martlet"] + arguments, variables: kept, &actions)
  }

  /// Starts a program that receives all signals, whichever the calling thread has blocked. `words`
  /// begin with the name of the program. Returns an error number, or 0 and the ID of the process.
  package static func spawn(
    _ executable: String, _ words: [String], variables: [String],
    _ actions: inout posix_spawn_file_actions_t
  ) -> (code: Int32, id: pid_t) {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words = words.map { strdup($0) } + [nil]
    var variables = variables.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var id: pid_t = 0
    let code = posix_spawn(&id, executable, &actions, &attributes, &words, &variables)
    return (code, id)
  }

  /// Ends the process, closes the pipes, and waits for it. Returns how it ended: `exit code 1`.
  ///
  /// Call it only once. If the process is ending on its own, that is what is returned.
  func end() -> String {
    kill(id, SIGKILL)
    close(input)
    close(output)
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? "exit code \(status >> 8 & 0xff)" : "signal \(signal)"
  }
}
