import Foundation
import TestSupport
import Testing

@Suite struct HealthTests {
  @Test("The exit code is 0 if the server is ready, and 1 without a server")
  func codes() throws {
    let server = try MartletProcess()
    let port = ["--port", "\(server.port)"]
    for host in ["127.0.0.1", "localhost", "0.0.0.0"] {
      let ready = try MartletProcess.run(["health", "--host", host] + port)
      #expect(ready.code == 0)
      #expect(ready.output == "ready\n")
    }
    #expect(
      try MartletProcess.run(["health"], environment: ["MARTLET_PORT": "\(server.port)"]).code == 0)
    try server.stop()
    let dead = try MartletProcess.run(["health"] + port)
    #expect(dead.code == 1)
    #expect(dead.errors.contains("127.0.0.1:\(server.port)"))
    #expect(dead.errors.split(separator: "\n").count == 1)
  }
}
