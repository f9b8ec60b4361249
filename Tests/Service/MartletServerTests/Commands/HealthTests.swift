import Foundation
import TestSupport
import Testing

@Suite struct HealthTests {
  @Test("The help has its own texts for the address, not those of serve")
  func help() throws {
    let help = try MartletProcess.run(["health", "--help"]).output
    #expect(
      help.contains("the address that the server listens on, as in its own --host (127.0.0.1)"))
    #expect(help.contains("the port that the server listens on, 1 to 65535 (8080)"))
  }

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
    #expect(
      dead.errors == """
        martlet: 127.0.0.1:\(server.port) cannot be reached: Connection refused: \
        start the server, or name its address with --host and --port

        """)
  }
}
