import Glibc
import MartletJSON
import TestSupport
import Testing

@testable import MartletHTTP

@Suite("Output that a socket accepts in parts")
struct OutputQueueTests {
  @Test("Own and shared bytes arrive complete and in order")
  func pieces() {
    var random = SeededRandom(seed: 77)
    var sockets: [Int32] = [0, 0]
    // Type 1 is SOCK_STREAM on Linux.
    #expect(socketpair(AF_UNIX, 1, 0, &sockets) == 0)
    defer { for descriptor in sockets { close(descriptor) } }
    var size: Int32 = 4096
    setsockopt(sockets[0], SOL_SOCKET, SO_SNDBUF, &size, 4)
    for descriptor in sockets { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }

    var queue = OutputQueue()
    var sent: [UInt8] = []
    var received: [UInt8] = []
    for round in 0..<2_000 {
      let count = Int.random(in: 0..<(round % 50 == 0 ? 100_000 : 300), using: &random)
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ round) }
      if Bool.random(using: &random) {
        bytes.withUnsafeBufferPointer { queue.append($0) }
        sent += bytes
      } else {
        let start = Int.random(in: 0...count, using: &random)
        let end = Int.random(in: start...count, using: &random)
        queue.append(SharedBytes(bytes), start..<end)
        sent += bytes[start..<end]
      }
      _ = queue.flush(sockets[0])
      if round % 3 == 0 { receive(sockets[1], &received) }
    }
    while !queue.isEmpty {
      receive(sockets[1], &received)
      _ = queue.flush(sockets[0])
    }
    receive(sockets[1], &received)
    #expect(received.count == sent.count)
    #expect(received == sent)
    #expect(queue.count == 0 && queue.ownCount == 0)
  }

  private func receive(_ descriptor: Int32, _ bytes: inout [UInt8]) {
    var buffer = [UInt8](repeating: 0, count: 30_000)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      bytes += buffer.prefix(count)
    }
  }

  @Test("Writing to a closed peer is reported as a failure (item 41)")
  func gone() {
    signal(SIGPIPE, SIG_IGN)
    var sockets: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, 1, 0, &sockets) == 0)
    close(sockets[1])
    defer { close(sockets[0]) }
    var queue = OutputQueue()
    queue.append(SharedBytes([1, 2, 3]), 0..<3)
    guard case .failed = queue.flush(sockets[0]) else {
      Issue.record("the write should fail")
      return
    }
  }
}
