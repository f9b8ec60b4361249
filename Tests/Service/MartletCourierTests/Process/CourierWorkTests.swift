import Foundation
import MartletJSON
import MartletTime
import Synchronization
import TestSupport
import Testing

@testable import MartletCourier

/// The server's side of the courier, with processes that misbehave.
@Suite(.timeLimit(.minutes(10))) struct CourierWorkTests {
  /// Answers each request with 204, in the order of their IDs.
  private static let answering = """
    read settings; echo '{"ready":true}'; id=0
    while read request; do
      id=$((id + 1)); echo "{\\"id\\":$id,\\"status\\":204,\\"duration\\":1}"
    done
    """
  /// Takes requests and never answers.
  private static let silent = "read settings; echo '{\"ready\":true}'; exec sleep 1000"

  @Test("Requests are answered")
  func answers() async {
    let courier = Courier(script: Self.answering)
    for _ in 0..<20 { #expect(await courier.result().status == 204) }
    #expect(await courier.checked() == nil)
  }

  @Test("An invalid request or URL fails before a process is started")
  func refused() async {
    let courier = Courier(script: "exit 3")
    let invalid = await courier.result(CourierRequest("https://example.com/", messageID: "a.b"))
    #expect(invalid.failure?.kind == .refused)
    let local = await courier.result(CourierRequest("http://127.0.0.1/"))
    #expect(local.failure?.kind == .refused)
    #expect(local.failure?.text.contains("--outgoing-to 127.0.0.1") == true)
  }

  @Test("A process that ends at once is started again, later each time")
  func crashLoop() async {
    let time = TestClock()
    let folder = try? TemporaryFolder()
    let starts = folder?.file("starts") ?? ""
    let courier = Courier(script: "echo x >> \(starts); exit 3", clock: time.clock)
    func count() -> Int {
      ((try? String(contentsOfFile: starts, encoding: .utf8)) ?? "").filter { $0 == "x" }.count
    }
    let text = "the courier's process has ended unexpectedly: exit code 3"
    for run in 1...2 {
      let result = await courier.result()
      #expect(result.failure == .init(.courier, text))
      #expect(result.retryAfter == (run == 1 ? nil : .seconds(1)))
      #expect(count() == run)
    }
    // Now it waits.
    let waiting = await courier.result()
    #expect(waiting.failure?.text == text)
    #expect(waiting.retryAfter == .seconds(1))
    #expect(count() == 2)
    for (run, delay) in zip(3..., [2, 4, 8, 16, 32, 60, 60] as [Int64]) {
      time.advance(milliseconds: 60_000)
      #expect(await courier.result().retryAfter == .seconds(delay))
      #expect(count() == run)
    }
    // A check starts it in any case: a missing library may be there now.
    #expect(await courier.checked()?.text == text)
    #expect(count() == 10)
  }

  @Test("A result ends the row of failures")
  func recovery() async {
    let time = TestClock()
    let script = """
      read settings; echo '{"ready":true}'; read request
      echo '{"id":'$(echo "$request" | sed 's/.*"id":\\([0-9]*\\).*/\\1/')',"status":200,"duration":0}'
      """
    let courier = Courier(script: script, clock: time.clock)
    for _ in 0..<6 {
      let result = await courier.result()
      // The end of the process may be noticed only after the next request was given to it.
      if let failure = result.failure {
        #expect(failure.text.contains("ended unexpectedly"))
        #expect(result.retryAfter == nil)
      } else {
        #expect(result.status == 200)
      }
    }
  }

  @Test("A program that does not exist")
  func missingProgram() async {
    let courier = Courier(
      CourierSettings(rules: OutgoingRules(), userAgent: "a"), executable: "/nowhere/martlet")
    let failure = await courier.result().failure
    #expect(failure?.kind == .courier)
    #expect(failure?.text.contains("/nowhere/martlet: No such file or directory") == true)
    #expect(await courier.checked() != nil)
  }

  @Test("A process that says why it cannot work")
  func unable() async {
    let courier = Courier(script: "read settings; echo '{\"unable\":\"no library\"}'; exit 1")
    #expect(await courier.result().failure == .init(.courier, "no library"))
    #expect(await courier.checked() == .init(.courier, "no library"))
  }

  @Test(
    "A process that writes what it must not is ended",
    arguments: [
      "echo hello", "echo '{\"id\":77,\"status\":200,\"duration\":0}'",
      "head -c 100000 /dev/zero | tr '\\0' a",
    ])
  func garbage(command: String) async {
    let courier = Courier(
      script: "read settings; echo '{\"ready\":true}'; read request; \(command); exec sleep 1000")
    #expect(await courier.result().failure?.text.contains("signal 9") == true)
  }

  @Test("A process that does not report in time is ended")
  func hung() async {
    let time = TestClock()
    let courier = Courier(script: Self.silent, clock: time.clock)
    #expect(await courier.checked() == nil)
    let request = CourierRequest("https://example.com/")
    let result = await withCheckedContinuation { continuation in
      courier.send(request) { continuation.resume(returning: $0) }
      time.advance(milliseconds: 30_100)
      // The loop waits on the machine's clock, so a further request wakes it.
      courier.send(request) { _ in }
    }
    #expect(result.failure?.text.contains("signal 9") == true)
  }

  @Test("A process that is not ready in time is ended")
  func neverReady() async {
    let courier = Courier(script: "exec sleep 1000") { $0.reportTimeout = .milliseconds(50) }
    #expect(await courier.result().failure?.text.contains("signal 9") == true)
  }

  @Test("After stop, all requests fail, those that wait and later ones")
  func stop() async {
    let courier = Courier(script: Self.silent)
    let failures = Mutex<[CourierResult]>([])
    await withCheckedContinuation { continuation in
      for _ in 0..<20 {
        courier.send(CourierRequest("https://example.com/")) { result in
          let count = failures.withLock {
            $0.append(result); return $0.count
          }
          if count == 20 { continuation.resume() }
        }
      }
      courier.stop()
    }
    for result in failures.withLock({ $0 }) + [await courier.result()] {
      #expect(result.failure == .init(.courier, "the courier was stopped"))
    }
    #expect(await courier.checked()?.text == "the courier was stopped")
  }

  @Test("Too many requests fail at once")
  func full() async {
    let courier = Courier(script: Self.silent)
    let most = CourierLane.request.concurrency + Courier.waitingLimit
    let failures = Mutex<[CourierResult]>([])
    for _ in 0..<most {
      courier.send(CourierRequest("https://example.com/")) { result in
        failures.withLock { $0.append(result) }
      }
    }
    let last = await courier.result()
    #expect(last.failure == .init(.courier, "too many requests wait for the courier"))
    #expect(failures.withLock { $0.isEmpty })
  }

  @Test("Requests, pushes and keys do not wait for each other")
  func lanes() async throws {
    let folder = try TemporaryFolder()
    let lines = folder.file("lines")
    // A key is asked for last, and is answered although nothing else is.
    let courier = Courier(
      script: """
        read settings; echo '{"ready":true}'
        while read line; do
          echo x >> \(lines)
          case $line in *makeKey*)
            id=$(echo "$line" | sed 's/.*"id":\\([0-9]*\\).*/\\1/')
            echo '{"id":'$id',"duration":0,"failure":"courier","text":"no key"}';;
          esac
        done
        """)
    let text = Base64.encode(url: [4] + [UInt8](repeating: 1, count: 64))
    let bytes = Base64.encode(url: [UInt8](repeating: 1, count: 16))
    let key = Base64.encode(url: [UInt8](repeating: 1, count: 32))
    let push = CourierRequest(
      push: PushEnvelope(
        to: try #require(PushRecipient(p256dh: text, auth: bytes)),
        from: try #require(VAPIDKey(privateKey: key, publicKey: text)),
        subject: "mailto:a@example.com", timeToLive: .zero), endpoint: "https://a.example/",
      payload: [])
    let failures = Mutex<[CourierResult]>([])
    for _ in 0..<CourierLane.request.concurrency + Courier.waitingLimit {
      courier.send(CourierRequest("https://example.com/")) { one in
        failures.withLock { $0.append(one) }
      }
    }
    for _ in 0..<CourierLane.push.concurrency + Courier.waitingLimit {
      courier.send(push) { one in failures.withLock { $0.append(one) } }
    }
    let full = CourierResult.Failure(.courier, "too many requests wait for the courier")
    #expect(await courier.result(push).failure == full)
    #expect(await courier.result().failure == full)
    await #expect(throws: CourierResult.Failure(.courier, "no key")) {
      try await courier.madeKey()
    }
    #expect(failures.withLock { $0.isEmpty })
    let count = try String(contentsOfFile: lines, encoding: .utf8).filter { $0 == "x" }.count
    #expect(count == CourierLane.request.concurrency + CourierLane.push.concurrency + 1)
  }

  @Test("An answer of another kind ends the process, and its request fails")
  func mixed() async throws {
    let key = #"\"privateKey\":\"AQ\",\"publicKey\":\"BA\""#
    for answer in [#"{\"id\":1,\#(key)}"#, #"{\"id\":1,\"status\":204,\"duration\":0}"#] {
      let courier = Courier(
        script: "read s; echo '{\"ready\":true}'; read line; echo \"\(answer)\"; exec sleep 1000")
      await #expect(throws: CourierResult.Failure.self) { try await courier.madeKey() }
    }
    let courier = Courier(script: "exit 3")
    await #expect(throws: CourierResult.Failure.self) { try await courier.madeKey() }
  }

  @Test("The process ends when the courier is released")
  func released() async throws {
    let folder = try TemporaryFolder()
    var courier: Courier? = Courier(
      script: "echo $$ > \(folder.file("pid")); \(Self.silent)")
    #expect(await courier?.checked() == nil)
    let text = try String(contentsOfFile: folder.file("pid"), encoding: .utf8)
    let pid = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(kill(pid, 0) == 0)
    courier = nil
    try await eventually { kill(pid, 0) != 0 }
    #expect(kill(pid, 0) != 0)
  }
}
