import Glibc
import Testing

@testable import MartletHTTP

@Suite("Sockets of connections") struct SocketTests {
  @Test("Nagle's algorithm is off (item 42)")
  func noDelay() throws {
    let harness = try Harness { $0.addBasics() }
    let client = try harness.client()
    #expect(client.get("/").text == "OK")
    let own = try #require(RawClient.ownPort(of: client.descriptor))
    // The server's end is a descriptor of this process, too.
    let ends = (Int32(3)..<4096).filter {
      RawClient.ownPort(of: $0) == harness.port && RawClient.peerPort(of: $0) == own
    }
    #expect(ends.count == 1)
    for end in ends {
      var isOn: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      #expect(getsockopt(end, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, &size) == 0)
      #expect(isOn == 1)
    }
  }

  @Test("A head and its small body are sent in one segment (item 42)")
  func oneSegment() throws {
    let harness = try Harness { $0.addBasics() }
    let client = try harness.client()
    for count in 1...5 {
      #expect(client.get("/size/1000").body.count == 1000)
      #expect(client.dataSegments == count)
    }
  }

  /// In a separate process, because SIGPIPE would end it.
  @Test("Clients that reset within a response do not affect the server (item 41)")
  func resets() async {
    await #expect(processExitsWith: .success) {
      let harness = try Harness(loops: 1) { $0.addBasics() }
      for _ in 0..<50 {
        let client = try harness.client(receiveBuffer: 4096)
        client.send(String(repeating: "GET /size/500000 HTTP/1.1\r\nHost: a\r\n\r\n", count: 4))
        _ = client.read(100)
        client.resetsAtEnd()
      }
      while harness.server.connections > 0 { harness.settle() }
      let client = try harness.client()
      #expect(client.get("/").text == "OK")
    }
  }
}

extension RawClient {
  fileprivate static func ownPort(of descriptor: Int32) -> UInt16? {
    port(descriptor, getsockname)
  }

  fileprivate static func peerPort(of descriptor: Int32) -> UInt16? {
    port(descriptor, getpeername)
  }

  private static func port(
    _ descriptor: Int32,
    _ name: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
  ) -> UInt16? {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(descriptor, $0, &size) }
    }
    guard result == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
    return UInt16(bigEndian: address.sin_port)
  }

  /// The number of received segments with data: `tcpi_data_segs_in` of `struct tcp_info`
  /// (linux/tcp.h).
  fileprivate var dataSegments: Int {
    var info = [UInt8](repeating: 0, count: 256)
    var size = socklen_t(info.count)
    getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &size)
    return info.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 152, as: UInt32.self)) }
  }
}
