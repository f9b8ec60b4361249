import Foundation
import MartletCourier
import TestSupport
import Testing

/// TLS, with servers of python3 and certificates of the openssl program.
@Suite(.timeLimit(.minutes(10))) struct EncryptionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let result = try ChildProcess(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", folder.file("key"), "-out", folder.file("certificate"), "-days", "2", "-subj",
        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
      ], folder: folder
    ).wait()
    guard result.code == 0 else { throw TestFailure(result.errors) }
  }

  /// Starts a server and returns it with its port.
  private func server(_ version: String) throws -> (ChildProcess, String) {
    let script = """
      import http.server, ssl, sys, warnings
      warnings.simplefilter("ignore")
      class Handler(http.server.BaseHTTPRequestHandler):
          def do_POST(self):
              self.send_response(204)
              self.end_headers()
          def log_message(self, *arguments): pass
      server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
      context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
      context.set_ciphers("DEFAULT@SECLEVEL=0")
      context.minimum_version = context.maximum_version = ssl.TLSVersion[sys.argv[2]]
      context.load_cert_chain(sys.argv[1] + "/certificate", sys.argv[1] + "/key")
      server.socket = context.wrap_socket(server.socket, server_side=True)
      print(server.server_port, flush=True)
      server.serve_forever()
      """
    let process = try ChildProcess(
      "/usr/bin/python3", ["-c", script, folder.path, version], folder: folder)
    guard let port = try process.line() else { throw TestFailure(process.errors) }
    return (process, port)
  }

  private func result(
    _ url: String, trusting isTrusted: Bool, timeout: Duration = .seconds(20)
  ) async -> CourierResult {
    let file = folder.file("certificate")
    let courier = Courier(allowing: ["127.0.0.1"]) {
      $0.certificates = isTrusted ? file : nil
      $0.timeout = timeout
    }
    return await courier.result(CourierRequest(url))
  }

  @Test("A certificate must be trusted and must have the host's name")
  func certificates() async throws {
    let (process, port) = try server("TLSv1_2")
    #expect(await result("https://localhost:\(port)/", trusting: true).status == 204)
    for (url, isTrusted) in [
      ("https://localhost:\(port)/", false), ("https://127.0.0.1:\(port)/", true),
    ] {
      let failure = await result(url, trusting: isTrusted).failure
      #expect(failure?.kind == .unanswered)
      #expect(failure?.text.contains("SSL") == true, "\(failure?.text ?? "")")
    }
    process.signal(SIGKILL)
  }

  @Test("TLS 1.3 is used, and TLS 1.1 is not", arguments: ["TLSv1_3", "TLSv1_1"])
  func versions(version: String) async throws {
    let (process, port) = try server(version)
    let result = await result("https://localhost:\(port)/", trusting: true)
    #expect(result.isSuccess == (version == "TLSv1_3"))
    process.signal(SIGKILL)
  }

  @Test("A server without TLS")
  func plain() async throws {
    let receiver = try Receiver { $0.send("HTTP/1.1 204 No Content\r\n\r\n") }
    let url = "https://localhost:\(receiver.port)/"
    let failure = await result(url, trusting: true, timeout: .milliseconds(300)).failure
    #expect(failure?.kind == .unanswered)
  }
}
