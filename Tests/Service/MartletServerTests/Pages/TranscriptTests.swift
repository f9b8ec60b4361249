import Foundation
import TestSupport
import Testing

@Suite struct TranscriptTests {
  private static let sample = """
    <!-- transcript -->
    Prose.

    ```console
    $ echo one; echo two
    one
    t…
    $ printf 'a: 1\\n\\nb: %s\\n' "$RANDOM" &
    ```

    ```swift
    $ not a command
    ```

    ```console
    $ true
    # in the first terminal
    a: 1

    b: …
    ```
    <!-- /transcript -->

    ```console
    $ also none
    ```
    """

  @Test("Parsing commands, their output, and that of a background command")
  func parsing() {
    #expect(
      Transcript(page: Self.sample).items == [
        .command(.init(command: "echo one; echo two", output: ["one", "t…"])),
        .command(.init(command: #"printf 'a: 1\n\nb: %s\n' "$RANDOM" &"#)),
        .command(.init(command: "true")),
        .firstTerminal(["a: 1", "", "b: …"]),
      ])
  }

  @Test("A block of Python that begins with its name is a file")
  func files() {
    let page = "<!-- transcript -->\n```python\n# a.py\nprint(1)\n```\n<!-- /transcript -->\n"
    #expect(Transcript(page: page).files == ["a.py": "# a.py\nprint(1)\n"])
    #expect(Transcript(page: page).items.isEmpty)
  }

  @Test("An ellipsis matches any text within a line")
  func wildcards() {
    #expect(Transcript.matches("{\"id\":1,\"at\":\"now\"}\n", ["{\"id\":1,…}"]))
    #expect(Transcript.matches("a-b-c", ["a…b…c"]))
    #expect(Transcript.matches("ac", ["a…c"]))
    #expect(!Transcript.matches("a-c-b", ["a…b…c"]))
    #expect(!Transcript.matches("a", ["a…a"]))
    #expect(!Transcript.matches("ab", ["a"]))
    #expect(!Transcript.matches("a\nb", ["a…"]))
    #expect(Transcript.matches("", []))
  }

  @Test("The runner reports differences")
  func running() throws {
    let server = try MartletProcess()
    #expect(try TranscriptRunner(server).run(Transcript(page: Self.sample)) == [])
    let wrong = Self.sample.replacingOccurrences(of: "t…", with: "three")
    #expect(try TranscriptRunner(server).run(Transcript(page: wrong)).count == 1)
    let late = Self.sample.replacingOccurrences(of: "b: …", with: "c: …")
    #expect(try TranscriptRunner(server, timeout: 0.2).run(Transcript(page: late)).count == 1)
  }

  @Test(
    "The commands in README.md and docs/using.md have the documented output",
    arguments: [("README.md", 3), ("docs/using.md", 9)])
  func pages(_ page: String, _ least: Int) throws {
    let transcript = Transcript(page: try Repository.text(page))
    #expect(transcript.items.count >= least)
    let server = try MartletProcess(["--outgoing-to", "127.0.0.1"])
    let differences = try TranscriptRunner(server).run(transcript)
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n\n"))")
  }

  @Test("The commands in docs/keys.md have the documented output")
  func keys() throws {
    let page = try Repository.text("docs/keys.md")
    let first = "martlet key create --name me --scope admin --database martlet.db > me.key"
    #expect(page.contains("$ \(first)\n"))
    let folder = try TemporaryFolder()
    #expect(try MartletProcess.run(["migrate", "--database", folder.file("martlet.db")]).code == 0)
    #expect(try TranscriptRunner.bash(first, in: folder).wait().code == 0)
    let server = try MartletProcess(in: folder)
    let differences = try TranscriptRunner(server).run(Transcript(page: page))
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n\n"))")
  }
}

/// Runs the commands of a page in bash. Port 8080 in them is replaced by that of the server, and
/// port 9000, of a program of the page, by a free one.
struct TranscriptRunner {
  private let server: MartletProcess
  private let timeout: Double
  private let otherPort: UInt16

  init(_ server: MartletProcess, timeout: Double = Deadline.hang) throws {
    self.server = server
    self.timeout = timeout
    otherPort = try FreePort.find()
  }

  /// Runs the commands and returns the differences.
  func run(_ transcript: Transcript) throws -> [String] {
    var differences: [String] = []
    var background: ChildProcess?
    for (name, text) in transcript.files {
      try text.replacing("9000", with: "\(otherPort)")
        .write(toFile: server.folder.file(name), atomically: true, encoding: .utf8)
    }
    for item in transcript.items {
      switch item {
      case .command(let step) where step.isInBackground:
        // The program itself, so that it is killed at the end.
        let process = try bash("exec " + step.command.dropLast())
        // Waits for the first event, as a reader does before using the second terminal.
        while !(try process.waitingOutput().contains(#/^listening|\ndata: /#)) {
          guard try process.waitForOutput(within: timeout) else { break }
        }
        background = process
      case .command(let step):
        let output = try bash(step.command).wait(within: timeout).output
          .replacing(":\(otherPort)/", with: ":9000/")
        if !Transcript.matches(output, step.output) {
          differences.append(difference(step.command, output, step.output))
        }
      case .firstTerminal(let expected):
        guard let background else {
          differences.append("nothing runs in the first terminal")
          continue
        }
        let output = try output(of: background, until: expected)
        if !Transcript.matches(output, expected) {
          differences.append(difference("in the first terminal", output, expected))
        }
      }
    }
    return differences
  }

  /// The output, once it matches or no more is expected to come.
  private func output(of process: ChildProcess, until expected: [String]) throws -> String {
    let deadline = Deadline(timeout)
    var output = try process.waitingOutput()
    while !Transcript.matches(output, expected), !deadline.isOver {
      let left = Double(deadline.milliseconds) / 1000
      guard (try? process.waitForOutput(within: left)) == true else { break }
      output = try process.waitingOutput()
    }
    return try process.waitingOutput()
  }

  private func bash(_ command: String) throws -> ChildProcess {
    let here = command.replacingOccurrences(of: ":8080", with: ":\(server.port)")
      .replacingOccurrences(of: ":9000", with: ":\(otherPort)")
    return try TranscriptRunner.bash(here, in: server.folder)
  }

  /// Runs a command in bash, in which `martlet` is the built program.
  static func bash(_ command: String, in folder: TemporaryFolder) throws -> ChildProcess {
    let tools = MartletProcess.executable.split(separator: "/").dropLast().joined(separator: "/")
    return try ChildProcess(
      "/bin/bash", ["-c", "PATH=/\(tools):$PATH; \(command)"], folder: folder)
  }

  private func difference(_ command: String, _ output: String, _ expected: [String]) -> String {
    "$ \(command)\ngives\n\(output)instead of\n\(expected.joined(separator: "\n"))"
  }
}
