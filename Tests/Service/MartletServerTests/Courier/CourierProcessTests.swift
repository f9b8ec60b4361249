import Foundation
import MartletCourier
import TestSupport
import Testing

/// The courier's process itself: its start, its end, and what it has of the server.
@Suite(.timeLimit(.minutes(10))) struct CourierProcessTests {
  @Test("The process has its three descriptors, no variables, and alone the libraries")
  func clean() async throws {
    // The server has files and sockets, which are inherited without further measures.
    let inherited = open("/etc/hostname", O_RDONLY)
    defer { close(inherited) }
    let known = try KnownCourier()
    #expect(await known.courier.checked() == nil)
    let pid = try #require(known.pids.last)
    let descriptors = try ProcessState.descriptors(of: pid)
    #expect(descriptors.keys.sorted() == [0, 1, 2])
    #expect(descriptors[0]?.hasPrefix("pipe:") == true)
    #expect(descriptors[1]?.hasPrefix("pipe:") == true)
    let variables = try String(contentsOfFile: "/proc/\(pid)/environ", encoding: .utf8)
      .split(separator: "\0").map { $0.prefix { $0 != "=" } }
    // The shell of this test sets some.
    #expect(Set(variables).isSubset(of: ["LD_LIBRARY_PATH", "PWD", "OLDPWD", "SHLVL", "_"]))
    let maps = try ProcessState.maps(of: pid)
    #expect(maps.contains("libcurl.so"))
    #expect(maps.contains("libcrypto.so"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/cwd") == "/")
    let server = try MartletProcess()
    let own = try ProcessState.maps(of: server.pid)
    #expect(!own.contains("libcurl"))
    #expect(!own.contains("libcrypto"))
    #expect(!own.contains("libssl"))
  }

  @Test("Requests in a process that is killed fail, and the next one is sent by another process")
  func killed() async throws {
    let receiver = try Receiver { exchange in
      exchange.waitForEnd()
    }
    let known = try KnownCourier()
    // Not as a child task: all threads for tasks may be busy with other tests.
    let lost = Collected<CourierResult>()
    known.courier.send(CourierRequest(receiver.url("/lost"))) { lost.add($0) }
    let deadline = Deadline(60)
    while receiver.requests.isEmpty, !deadline.isOver { usleep(2000) }
    let pid = try #require(known.pids.last)
    kill(pid, SIGKILL)
    while lost.now.isEmpty, !deadline.isOver { usleep(2000) }
    let result = try #require(lost.now.first)
    #expect(result.failure?.kind == .courier)
    #expect(
      result.failure?.text == "the courier's process has ended unexpectedly: signal 9")
    let other = try Receiver()
    #expect(await known.courier.result(CourierRequest(other.url())).status == 204)
    #expect(known.pids.count == 2)
  }

  @Test("Signals for the server do not end the process")
  func signals() async throws {
    let known = try KnownCourier()
    #expect(await known.courier.checked() == nil)
    let pid = try #require(known.pids.last)
    for number in [SIGINT, SIGTERM, SIGHUP] { kill(pid, number) }
    let other = try Receiver()
    #expect(await known.courier.result(CourierRequest(other.url())).status == 204)
    #expect(known.pids == [pid])
  }

  @Test("The process ends with the courier, also while a request is in it")
  func released() async throws {
    let receiver = try Receiver { $0.waitForEnd() }
    var known: KnownCourier? = try KnownCourier()
    known?.courier.send(CourierRequest(receiver.url())) { _ in }
    let deadline = Deadline(20)
    while receiver.requests.isEmpty, !deadline.isOver { usleep(2000) }
    let pid = try #require(known?.pids.last)
    known = nil
    #expect(ProcessState.isOver(pid))
  }

  @Test("The process ends when its parent is killed, and when its input ends")
  func orphaned() async throws {
    let script = """
      import subprocess, sys, time
      child = subprocess.Popen([sys.argv[1], "courier"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
      child.stdin.write(sys.argv[2].encode() + b"\\n")
      child.stdin.flush()
      print(child.stdout.readline().decode().strip(), child.pid, flush=True)
      if sys.argv[3] == "close":
          child.stdin.close()
          print(child.wait(), flush=True)
      time.sleep(1000)
      """
    let settings = """
      {"allowed":[],"userAgent":"a","connectTimeout":1000,"timeout":1000,"mailTimeout":1000,\
      "idleTimeout":1000,\
      "bodyLimit":1,"headerLimit":1,"curl":"libcurl.so.4","crypto":"libcrypto.so.3"}
      """
    for way in ["close", "kill"] {
      let folder = try TemporaryFolder()
      let parent = try ChildProcess(
        "/usr/bin/python3", ["-c", script, MartletProcess.executable, settings, way],
        folder: folder)
      let line = try #require(try parent.line())
      #expect(line.hasPrefix(#"{"ready":true} "#))
      let pid = try #require(line.split(separator: " ").last.flatMap { pid_t($0) })
      if way == "close" {
        #expect(try parent.line() == "0")
      } else {
        #expect(ProcessState.isRunning(pid))
      }
      parent.signal(SIGKILL)
      #expect(ProcessState.isOver(pid))
    }
  }

  @Test("Without a library, the failure names the package")
  func missingLibrary() async throws {
    let curl = Courier { $0.curlLibrary = "libcurl-missing.so.4" }
    let text = "libcurl-missing.so.4 is missing; install the Debian package libcurl4"
    #expect(await curl.checked()?.text == text)
    let result = await curl.result(CourierRequest("http://127.0.0.1:1/"))
    #expect(result.failure?.kind == .courier)
    #expect(result.failure?.text == text)
    let crypto = Courier { $0.cryptoLibrary = "libcrypto-missing.so.3" }
    #expect(
      await crypto.checked()?.text
        == "libcrypto-missing.so.3 is missing; install the Debian package libssl3")
    // A library that exists and is another one.
    let other = Courier { $0.curlLibrary = "libz.so.1" }
    #expect(
      await other.checked()?.text
        == "curl_global_init is missing in libz.so.1; the Debian package libcurl4 has it")
    let cipher = Courier { $0.cryptoLibrary = "libz.so.1" }
    #expect(
      await cipher.checked()?.text
        == "EVP_sha256 is missing in libz.so.1; the Debian package libssl3 has it")
  }

  @Test("The command is internal, and says so")
  func command() throws {
    #expect(try !MartletProcess.run(["--help"]).output.contains("courier"))
    let help = try MartletProcess.run(["courier", "--help"])
    #expect(help.output.hasPrefix("martlet courier: internal: "))
    // Without settings there is nothing to do.
    #expect(try MartletProcess.run(["courier"]).code == 0)
    let folder = try TemporaryFolder()
    let wrong = try ChildProcess(
      "/bin/sh", ["-c", "echo hello | \(MartletProcess.executable) courier"], folder: folder
    ).wait()
    #expect(wrong.code == 2)
    #expect(wrong.errors.contains("courier is started by serve"))
  }
}
