import Foundation
import TestSupport
import Testing

@testable import MartletServer

@Suite("Memory goes back to the system") struct ReturnedMemoryTests {
  /// What the process has in memory, in KiB.
  private func resident(_ server: MartletProcess) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(server.pid)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return try #require(Int(line.split(whereSeparator: { !$0.isNumber }).first ?? ""))
  }

  @Test("As much memory again is given back again, whatever was seen in between")
  func policy() {
    var freed = FreedMemory(resident: 20 << 20)
    /// In MiB.
    func isWorthReturning(free: Int, resident: Int) -> Bool {
      freed.isWorthReturning(free: free << 20, resident: resident << 20)
    }
    #expect(!isWorthReturning(free: 10, resident: 60))
    #expect(isWorthReturning(free: 40, resident: 60))
    // It was given back: free in the books, and not in memory.
    freed = FreedMemory(resident: 24 << 20)
    #expect(!isWorthReturning(free: 40, resident: 24))
    // It is used, and free once more.
    #expect(!isWorthReturning(free: 1, resident: 64))
    #expect(isWorthReturning(free: 40, resident: 64))
    // The process is large because its memory is used.
    freed = FreedMemory(resident: 60 << 20)
    #expect(!isWorthReturning(free: 20, resident: 62))
    // Something else has shrunk meanwhile.
    #expect(!isWorthReturning(free: 20, resident: 30))
    #expect(isWorthReturning(free: 20, resident: 40))
  }

  @Test("Large bodies are in memory while they come, and not afterwards")
  func bodies() throws {
    let server = try MartletProcess()
    #expect(try RawClient(port: server.port).get("/livez").status == 200)
    let atRest = try resident(server)
    let size = 4 << 20
    let body = [UInt8](repeating: 0x78, count: size - 1)
    // Of 48 MiB, in KiB.
    let (most, least) = (40 << 10, 16 << 10)
    let deadline = Date(timeIntervalSinceNow: 60)
    // glibc learns from the first round, and would keep the second one's.
    for _ in 0..<3 {
      var clients = try (0..<12).map { _ in try RawClient(port: server.port) }
      for client in clients {
        try client.send(
          "POST /v1/import HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(size)\r\n\r\n")
        try client.send(body)
      }
      while try resident(server) < atRest + most, Date() < deadline { usleep(10_000) }
      #expect(try resident(server) >= atRest + most)
      clients = []
      while try resident(server) > atRest + least, Date() < deadline { usleep(10_000) }
      #expect(try resident(server) <= atRest + least)
    }
    try server.stop()
  }
}
