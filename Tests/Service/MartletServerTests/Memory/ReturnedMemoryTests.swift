import Foundation
import TestSupport
import Testing

@testable import MartletServer

@Suite("Freed memory is returned to the system") struct ReturnedMemoryTests {
  /// The resident size of the process, in KiB.
  private func resident(_ server: MartletProcess) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(server.pid)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return try #require(Int(line.split(whereSeparator: { !$0.isNumber }).first ?? ""))
  }

  @Test("Memory is returned when much is free and the process has grown")
  func policy() {
    var freed = FreedMemory(resident: 20 << 20)
    /// With sizes in MiB.
    func isWorthReturning(free: Int, resident: Int) -> Bool {
      freed.isWorthReturning(free: free << 20, resident: resident << 20)
    }
    #expect(!isWorthReturning(free: 10, resident: 60))
    #expect(isWorthReturning(free: 40, resident: 60))
    // It was returned: free in the allocator's statistics, but not resident.
    freed = FreedMemory(resident: 24 << 20)
    #expect(!isWorthReturning(free: 40, resident: 24))
    // It is used, and free again.
    #expect(!isWorthReturning(free: 1, resident: 64))
    #expect(isWorthReturning(free: 40, resident: 64))
    // The process is large because it uses its memory.
    freed = FreedMemory(resident: 60 << 20)
    #expect(!isWorthReturning(free: 20, resident: 62))
    // The process has shrunk and grown again.
    #expect(!isWorthReturning(free: 20, resident: 30))
    #expect(isWorthReturning(free: 20, resident: 40))
  }

  @Test("The memory of large bodies is returned")
  func bodies() throws {
    let server = try MartletProcess()
    #expect(try RawClient(port: server.port).get("/livez").status == 200)
    let atRest = try resident(server)
    let size = 4 << 20
    let body = [UInt8](repeating: 0x78, count: size - 1)
    // Thresholds for 48 MiB of bodies, in KiB.
    let (most, least) = (40 << 10, 16 << 10)
    let deadline = Date(timeIntervalSinceNow: 60)
    // glibc raises its threshold in the first round, and would keep the memory of the second.
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
