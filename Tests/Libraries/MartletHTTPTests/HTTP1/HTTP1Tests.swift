import TestSupport
import Testing

@testable import MartletHTTP

@Suite("Timeouts of a connection, tested without sockets or waiting (item 37)")
struct HTTP1Tests {
  @Test("A connection that sends nothing is closed silently after ten seconds")
  func silent() {
    var machine = Machine()
    machine.pass(milliseconds: 9_999)
    #expect(!machine.isClosed)
    machine.pass(milliseconds: 1)
    #expect(machine.isClosed)
    #expect(machine.output.isEmpty)
  }

  @Test("A slow head gets 408 ten seconds after accepting, however many bytes it has")
  func slowHead() {
    var machine = Machine()
    for byte in "GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8.prefix(19) {
      machine.receive([byte])
      machine.pass(milliseconds: 500)
    }
    #expect(machine.statuses.isEmpty)
    machine.pass(milliseconds: 500)
    #expect(machine.statuses == [408])
    #expect(machine.isHalfClosed)
    #expect(machine.text.contains("Connection: close"))
  }

  @Test(
    "A response that the socket accepted in part is sent before an idle connection closes",
    arguments: [1, 64 << 10, (64 << 10) + 1], [true, false])
  func queuedOutput(_ queued: Int, _ isDraining: Bool) {
    var machine = Machine()
    machine.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    machine.http.wrote(queued: queued, didMove: false)
    if isDraining {
      machine.loop.isDraining = true
      machine.run()
    } else {
      machine.receiveEnd()
    }
    #expect(!machine.isClosed)
    machine.http.wrote(queued: 1, didMove: true)
    machine.run()
    #expect(!machine.isClosed)
    machine.http.wrote(queued: 0, didMove: true)
    machine.run()
    #expect(machine.isClosed)
    #expect(machine.statuses == [200])
  }

  @Test("The extensions of all chunks together are limited (item 26)")
  func chunkExtensions() {
    var limits = Limits()
    limits.chunkExtensions = 100
    // A name of nine letters and the CR behind it count: ten bytes for each chunk.
    for (chunks, status) in [(10, 200), (11, 400)] {
      var machine = Machine(limits: limits)
      machine.receive("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
      for _ in 0..<chunks { machine.receive("1;abcdefghi\r\nx\r\n") }
      machine.receive("0\r\n\r\n")
      #expect(machine.statuses == [status], "\(chunks) chunks")
    }
  }

  @Test("All chunks of a body together are limited (item 31)")
  func chunkedBody() {
    var limits = Limits()
    limits.body = 10
    for (chunks, status) in [(2, 200), (3, 413)] {
      var machine = Machine(limits: limits)
      machine.receive("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
      for _ in 0..<chunks { machine.receive("5\r\nhello\r\n") }
      machine.receive("0\r\n\r\n")
      #expect(machine.statuses == [status], "\(chunks) chunks")
    }
  }

  @Test("A later head has ten seconds from its first byte")
  func slowSecondHead() {
    var machine = Machine()
    machine.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    machine.pass(milliseconds: 60_000)
    machine.receive("G")
    machine.pass(milliseconds: 9_999)
    #expect(machine.statuses == [200])
    machine.pass(milliseconds: 1)
    #expect(machine.statuses == [200, 408])
  }

  @Test("An idle connection is closed silently after 75 seconds")
  func idle() {
    var machine = Machine()
    machine.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    let written = machine.output.count
    machine.pass(milliseconds: 74_999)
    #expect(!machine.isClosed)
    machine.pass(milliseconds: 1)
    #expect(machine.isClosed)
    #expect(machine.output.count == written)
  }

  @Test("A body gets 408 after 20 seconds without a byte")
  func bodyPause() {
    var machine = Machine()
    machine.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx")
    machine.pass(milliseconds: 19_999)
    machine.receive("x")
    machine.pass(milliseconds: 19_999)
    #expect(machine.statuses.isEmpty)
    machine.pass(milliseconds: 1)
    #expect(machine.statuses == [408])
    #expect(machine.seen.isEmpty)
  }

  @Test("A body gets 408 after 60 seconds in total")
  func bodyTotal() {
    var machine = Machine()
    machine.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n")
    for _ in 0..<5 {
      machine.pass(milliseconds: 10_000)
      machine.receive("x")
    }
    machine.pass(milliseconds: 9_999)
    #expect(machine.statuses.isEmpty)
    machine.pass(milliseconds: 1)
    #expect(machine.statuses == [408])
  }

  @Test("A client that takes nothing is closed after 30 seconds, but not while it takes bytes")
  func writeStall() {
    var machine = Machine()
    machine.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    machine.http.wrote(queued: 1000, didMove: false)
    machine.pass(milliseconds: 29_000)
    machine.http.wrote(queued: 500, didMove: true)
    machine.pass(milliseconds: 29_999)
    #expect(!machine.isClosed)
    machine.pass(milliseconds: 1)
    #expect(machine.isClosed)
  }

  @Test("A client that takes nothing is closed even if more output is queued for it")
  func writeStallUnderOutput() {
    var machine = Machine()
    machine.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    machine.http.wrote(queued: 1000, didMove: false)
    for queued in [2000, 3000] {
      machine.pass(milliseconds: 14_000)
      machine.http.wrote(queued: queued, didMove: false)
    }
    machine.pass(milliseconds: 1_999)
    #expect(!machine.isClosed)
    machine.pass(milliseconds: 1)
    #expect(machine.isClosed)
  }

  @Test(
    "A request without a response gets 503 after 30 seconds, and the connection ends (item 37)")
  func handler() {
    var machine = Machine()
    machine.answer = { _ in nil }
    machine.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    machine.pass(milliseconds: 29_999)
    #expect(machine.statuses.isEmpty)
    machine.pass(milliseconds: 1)
    #expect(machine.statuses == [503])
    #expect(machine.isHalfClosed)
    machine.send(Response())
    #expect(machine.statuses == [503])
  }

  @Test("After the last response the server reads for one more second (item 9)")
  func linger() {
    var machine = Machine()
    machine.receive("BAD\r\n\r\n")
    #expect(machine.isHalfClosed)
    machine.receive([UInt8](repeating: 0, count: 60_000))
    #expect(!machine.isClosed)
    machine.pass(milliseconds: 1_000)
    #expect(machine.isClosed)
  }

  @Test("After the last response the server reads a limited number of bytes (item 9)")
  func lingerBytes() {
    var limits = Limits()
    limits.lingerBytes = 64 << 10
    var machine = Machine(limits: limits)
    machine.receive("BAD\r\n\r\n")
    machine.receive([UInt8](repeating: 0, count: 100_000))
    #expect(machine.isClosed)
  }

  @Test("While a handler has a request, pipelined requests wait (item 35)")
  func serial() {
    var machine = Machine()
    machine.answer = { _ in nil }
    machine.receive("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(machine.seen.count == 1)
    #expect(!machine.http.wantsInput)
    machine.send(Response())
    #expect(machine.seen.count == 2)
  }

  @Test(
    "An incomplete request is not dispatched when the connection ends (item 30)",
    arguments: [
      "GET / HTTP/1.1\r\nHost: a\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
    ])
  func cutOff(_ text: String) {
    var machine = Machine()
    machine.receive(text)
    machine.receiveEnd()
    #expect(machine.seen.isEmpty)
    #expect(machine.statuses == [400])
    #expect(machine.isClosed)
  }

  @Test("A second response to the same request is not sent (item 40)")
  func secondAnswer() {
    var machine = Machine()
    machine.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    machine.send(Response())
    #expect(machine.statuses == [200])
  }

  @Test("204 and 304 have neither content nor Content-Length (item 46)", arguments: [204, 304])
  func noContent(_ code: UInt16) {
    var machine = Machine()
    machine.answer = { _ in Response(Status(code), body: .text("never")) }
    machine.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(!machine.text.contains("Content-Length"))
    #expect(machine.text.hasSuffix("\r\n\r\n"))
  }

  @Test("A refused head is answered by its own method, not by the previous one (item 45)")
  func refusedHead() {
    var machine = Machine()
    machine.receive("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
    machine.receive("GET / HTTP/1.1\r\nno colon\r\n")
    #expect(machine.statuses == [200, 400])
    #expect(machine.text.hasSuffix("}"))
    for head in ["Host: a b\r\n\r\n", "Host: a\r\nno colon\r\n"] {
      machine = Machine()
      machine.receive("HEAD / HTTP/1.1\r\n\(head)")
      #expect(machine.statuses == [400])
      #expect(machine.text.hasSuffix("\r\n\r\n"), "HEAD has no content, even for an error")
    }
  }

  @Test("Date has the clock's second (item 44)")
  func date() {
    var machine = Machine()
    machine.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(machine.text.contains("Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n"))
    machine.pass(milliseconds: 61_000)
    machine.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(machine.text.contains("Date: Thu, 01 Jan 2026 00:01:01 GMT\r\n"))
  }

  @Test("No 100 Continue is sent when the body has arrived, nor to HTTP/1.0 (item 32, item 40)")
  func noContinue() {
    var machine = Machine()
    let fields = "Host: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n"
    machine.receive("POST / HTTP/1.1\r\n\(fields)x")
    #expect(machine.statuses == [200])
    machine.receive("POST / HTTP/1.0\r\n\(fields)")
    #expect(machine.statuses == [200])
    machine.receive("x")
    #expect(machine.statuses == [200, 200])
  }

  @Test("Mutated requests never stop the machine and always end the connection (item 83)")
  func mutations() {
    var random = SeededRandom(seed: 4)
    let corpus = HTTPCase.all.map(\.bytes).filter { $0.count < 400 }
    for _ in 0..<4_000 {
      var bytes = corpus.randomElement(using: &random)!
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(bytes.randomElement(using: &random)!, at: place)
        default: bytes += corpus.randomElement(using: &random)!.prefix(40)
        }
      }
      var machine = Machine()
      machine.receive(bytes)
      machine.receiveEnd()
      #expect(machine.isClosed, "\(String(decoding: bytes, as: UTF8.self))")
      #expect(machine.statuses.allSatisfy { $0 < 500 || $0 == 501 || $0 == 505 })
    }
  }
}
