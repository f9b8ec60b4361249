import Foundation
import TestSupport
import Testing

/// Debian's nginx with the configuration of `docs/proxies.md`, without TLS.
///
/// `make test-proxies` tests it with TLS.
@Suite("Behind nginx", .serialized) struct NginxTests {
  private final class Nginx {
    let port: UInt16
    private let process: ChildProcess
    private let folder: TemporaryFolder

    init(before martlet: UInt16) throws {
      let folder = try TemporaryFolder()
      self.folder = folder
      let port = try FreePort.find()
      self.port = port
      let page =
        try Repository.text("docs/proxies.md").components(separatedBy: "\n## ")
        .first { $0.hasPrefix("nginx\n") } ?? ""
      let server = page.split(separator: "\n")
        .filter { $0.hasPrefix("    ") && !$0.contains("ssl_certificate") }
        .joined(separator: "\n")
        .replacing("/var/log/nginx", with: folder.path)
        .replacing("listen 443 ssl http2", with: "listen 127.0.0.1:\(port)")
        .replacing("127.0.0.1:8080", with: "127.0.0.1:\(martlet)")
      let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map { "\($0)_temp_path \(folder.file($0));" }.joined(separator: "\n")
      try """
      daemon off;
      pid \(folder.file("pid"));
      error_log stderr;
      events {}
      http {
      access_log off;
      \(places)
      \(server)
      }
      """.write(toFile: folder.file("nginx.conf"), atomically: true, encoding: .utf8)
      process = try ChildProcess(
        "/usr/sbin/nginx", ["-p", folder.path, "-c", folder.file("nginx.conf"), "-e", "stderr"],
        folder: folder)
      let deadline = ContinuousClock.now + .seconds(10)
      while (try? RawClient(port: port)) == nil {
        guard ContinuousClock.now < deadline else {
          throw ChildProcess.Failure(description: "nginx does not listen: \(process.errors)")
        }
        usleep(10_000)
      }
    }

    deinit {
      process.signal(SIGTERM)
      _ = try? process.wait(within: Deadline.hang)
    }
  }

  private static let name = [("Host", "todo.example.org")]

  @Test("Events pass through immediately, and pages of the public name may write")
  func stream() throws {
    let martlet = try MartletProcess(
      ["--allowed-host", "todo.example.org", "--trusted-proxy", "127.0.0.1"])
    let nginx = try Nginx(before: martlet.port)
    let client = try RawClient(port: nginx.port)
    let own = Self.name + [("Origin", "https://todo.example.org")]
    let list = try client.request("POST", "/v1/lists", own, body: #"{"title":"a"}"#)
    #expect(list.status == 201)
    let foreign = Self.name + [("Origin", "https://evil.example")]
    #expect(try client.request("POST", "/v1/lists", foreign, body: "{}").status == 403)

    let streams = StreamClient(port: nginx.port)
    try streams.open("/v1/lists/1")
    #expect(streams.wait { $0[0].last?.event == "result" })
    for title in ["b", "c"] {
      #expect(
        try client.request("PATCH", "/v1/lists/1", own, body: #"{"title":"\#(title)"}"#).status
          == 200)
      #expect(streams.wait { $0[0].last?.json["title"] as? String == title })
    }
    _ = try martlet.stop()
    #expect(streams.wait { $0[0].events.contains { $0.event == "bye" } })
  }

  @Test("Rate limits apply to the clients of nginx")
  func clients() throws {
    let martlet = try MartletProcess(
      ["--allowed-host", "todo.example.org", "--trusted-proxy", "127.0.0.1", "--rate-burst", "1"])
    let nginx = try Nginx(before: martlet.port)
    // The client is on loopback, which is not rate limited. nginx replaces the header field that
    // the client sends.
    let client = try RawClient(port: nginx.port)
    for _ in 0..<3 {
      let answer = try client.get("/v1/lists", Self.name + [("X-Forwarded-For", "203.0.113.1")])
      #expect(answer.status == 200 && answer["RateLimit"] == nil)
    }
  }
}
