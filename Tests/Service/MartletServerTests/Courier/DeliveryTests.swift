import Foundation
import MartletCourier
import TestSupport
import Testing

/// The courier's process with real connections.
@Suite(.timeLimit(.minutes(10))) struct DeliveryTests {
  @Test("A request arrives with exactly the bytes that were given")
  func bytes() async throws {
    let receiver = try Receiver()
    let courier = Courier()
    let request = CourierRequest(
      receiver.url("/a%20b?c=d&e"),
      fields: [
        .init("Content-Type", "application/json"), .init("Authorization", "Bearer t"),
        .init("X-Empty", ""),
      ],
      body: Array(#"{"a":"ü\n"}"#.utf8))
    let result = await courier.result(request)
    #expect(result.status == 204)
    #expect(result.isSuccess)
    #expect(result.retryAfter == nil)
    #expect(
      receiver.requests == [
        "POST /a%20b?c=d&e HTTP/1.1\r\nHost: 127.0.0.1:\(receiver.port)\r\n"
          + "User-Agent: martlet/test\r\nAccept: */*\r\nContent-Type: application/json\r\n"
          + "Authorization: Bearer t\r\nX-Empty:\r\nContent-Length: 12\r\n\r\n" + #"{"a":"ü\n"}"#
      ])
  }

  @Test("Other methods, an empty body and a large one")
  func methods() async throws {
    let receiver = try Receiver()
    let courier = Courier()
    let large = [UInt8](repeating: 0x61, count: CourierRequest.largestBody)
    for request in [
      CourierRequest(.get, receiver.url("/get")), CourierRequest(receiver.url("/empty")),
      CourierRequest(.put, receiver.url("/put"), body: Array("x".utf8)),
      CourierRequest(receiver.url("/large"), body: large),
    ] {
      #expect(await courier.result(request).status == 204)
    }
    let seen = receiver.requests
    try #require(seen.count == 4)
    #expect(seen[0].hasPrefix("GET /get HTTP/1.1\r\n"))
    #expect(!seen[0].contains("Content-"))
    #expect(seen[1].hasPrefix("POST /empty HTTP/1.1\r\n"))
    #expect(seen[1].hasSuffix("\r\nContent-Length: 0\r\n\r\n"))
    #expect(!seen[1].contains("Content-Type"))
    #expect(seen[2].hasPrefix("PUT /put HTTP/1.1\r\n"))
    #expect(seen[2].hasSuffix("\r\nContent-Length: 1\r\n\r\nx"))
    #expect(seen[3].utf8.suffix(large.count).elementsEqual(large))
    #expect(!seen[3].contains("Expect"))
  }

  @Test("Both signatures are valid at the time of the attempt")
  func signatures() async throws {
    let receiver = try Receiver()
    let secrets = [WebhookSecret.random(), .random()]
    let body = #"{"type":"reminder.due"}"#
    let before = Int(Date().timeIntervalSince1970)
    let result = await Courier().result(
      CourierRequest(
        receiver.url(), body: Array(body.utf8), messageID: "msg_2KW", secrets: secrets))
    #expect(result.isSuccess)
    let text = try #require(receiver.requests.first)
    let match = try #require(
      text.firstMatch(
        of:
          /webhook-id: msg_2KW\r\nwebhook-timestamp: (\d+)\r\nwebhook-signature: (v1,\S+ v1,\S+)\r\n/
      ))
    #expect((before...before + 120).contains(try #require(Int(match.1))))
    let script = """
      import base64, hashlib, hmac, sys
      text, secrets = sys.argv[1], sys.argv[2:]
      print(" ".join("v1," + base64.b64encode(hmac.new(
          base64.b64decode(secret[6:]), text.encode(), hashlib.sha256).digest()).decode()
          for secret in secrets))
      """
    let python = try ChildProcess(
      "/usr/bin/python3", ["-c", script, "msg_2KW.\(match.1).\(body)"] + secrets.map(\.text),
      folder: TemporaryFolder()
    ).wait()
    #expect(python.output == match.2 + "\n")
  }

  @Test(
    "The status decides, and redirects are not followed",
    arguments: [200, 201, 301, 302, 307, 308, 400, 410, 429, 500, 503])
  func statuses(status: Int) async throws {
    let other = try Receiver()
    let target = other.url()
    let receiver = try Receiver {
      $0.send("HTTP/1.1 \(status) X\r\nLocation: \(target)\r\nContent-Length: 2\r\n\r\nok")
    }
    let result = await Courier().result(CourierRequest(receiver.url()))
    #expect(result.status == status)
    #expect(result.isSuccess == (200..<300).contains(status))
    #expect(other.requests == [])
  }

  @Test("Retry-After of the last answer counts")
  func retryAfter() async throws {
    let receiver = try Receiver {
      $0.send("HTTP/1.1 103 Early\r\nRetry-After: 5\r\n\r\n")
      $0.send("HTTP/1.1 503 Busy\r\nretry-AFTER:  120 \r\nContent-Length: 0\r\n\r\n")
    }
    let result = await Courier().result(CourierRequest(receiver.url()))
    #expect(result.status == 503)
    #expect(result.retryAfter == .seconds(120))
  }

  @Test("An endless answer is cut off, and one that stops is not awaited")
  func endless() async throws {
    let endless = try Receiver { exchange in
      exchange.send("HTTP/1.1 200 OK\r\n\r\n")
      let part = String(repeating: "a", count: 16 << 10)
      while exchange.send(part) {}
    }
    #expect(await Courier().result(CourierRequest(endless.url())).status == 200)
    let slow = try Receiver { exchange in
      exchange.send("HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\na")
      exchange.waitForEnd()
    }
    let hasty = Courier { $0.timeout = .milliseconds(300) }
    #expect(await hasty.result(CourierRequest(slow.url())).status == 201)
    let cut = try Receiver { $0.send("HTTP/1.1 202 Ok\r\nContent-Length: 10\r\n\r\na") }
    #expect(await Courier().result(CourierRequest(cut.url())).status == 202)
  }

  @Test("A server that does not answer")
  func silent() async throws {
    let receiver = try Receiver { $0.waitForEnd() }
    let courier = Courier { $0.timeout = .milliseconds(300) }
    let result = await courier.result(CourierRequest(receiver.url("/secret-path")))
    #expect(result.failure?.kind == .unanswered)
    #expect(result.failure?.text.contains("timed out") == true)
    #expect(result.failure?.text.contains("secret") == false)
    #expect(result.duration >= .milliseconds(250))
  }

  @Test(
    "What is not an answer",
    arguments: [
      "", "HTTP/1.1 200 OK\r\nA: b\r\n", "garbage\r\n\r\n", "\0\0\0\0\r\n\r\n",
      "HTTP/9.9 200\r\n\r\n",
      "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 XXX\r\n\r\n",
    ])
  func garbage(answer: String) async throws {
    let receiver = try Receiver { $0.send(answer) }
    let result = await Courier().result(CourierRequest(receiver.url("/secret-path")))
    #expect(result.failure?.kind == .unanswered)
    #expect(result.failure?.text.isEmpty == false)
    #expect(result.failure?.text.contains("secret") == false)
  }

  @Test("Header sections without end are cut off")
  func headers() async throws {
    let many = try Receiver { exchange in
      exchange.send("HTTP/1.1 200 OK\r\n")
      while exchange.send("X-A: " + String(repeating: "a", count: 1000) + "\r\n") {}
    }
    let result = await Courier().result(CourierRequest(many.url()))
    #expect(result.failure?.text == "the answer has more than 65536 bytes of header fields")
    let informational = try Receiver { while $0.send("HTTP/1.1 103 Early\r\n\r\n") {} }
    #expect(await Courier().result(CourierRequest(informational.url())).failure != nil)
    let long = try Receiver { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nX-A: ")
      while exchange.send(String(repeating: "a", count: 1000)) {}
    }
    #expect(await Courier().result(CourierRequest(long.url())).failure?.kind == .unanswered)
  }

  @Test("Eight requests at once, each with its own answer")
  func concurrent() async throws {
    let gate = DispatchSemaphore(value: 0)
    let receiver = try Receiver { exchange in
      gate.wait()
      exchange.send("HTTP/1.1 204 No Content\r\n\r\n")
    }
    let courier = Courier()
    let results = await withTaskGroup(of: CourierResult.self) { group in
      for number in 0..<8 {
        group.addTask { await courier.result(CourierRequest(receiver.url("/\(number)"))) }
      }
      // None is answered before all have arrived.
      DispatchQueue(label: "opener").async {
        while receiver.requests.count < 8 { usleep(1000) }
        for _ in 0..<8 { gate.signal() }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.filter(\.isSuccess).count == 8)
    #expect(
      Set(receiver.requests.compactMap { $0.split(separator: " ").dropFirst().first }).count == 8)
  }
}
