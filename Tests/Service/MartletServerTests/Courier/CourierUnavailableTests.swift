import Foundation
import TestSupport
import Testing

@Suite("A machine without libcurl") struct CourierUnavailableTests {
  @Test("No channel can be created or tried, the answer says why, and nothing is changed")
  func refused() throws {
    let folder = try TemporaryFolder()
    // An empty file in place of the library: the courier has this variable of the server.
    let libraries = folder.file("libraries")
    try FileManager.default.createDirectory(
      atPath: libraries, withIntermediateDirectories: false)
    try Data().write(to: URL(fileURLWithPath: libraries + "/libcurl.so.4"))
    let first = try MartletProcess(["--outgoing-to", "127.0.0.1"], in: folder)
    let hook = #"{"kind":"webhook","name":"C","url":"http://127.0.0.1:9/","isEnabled":true}"#
    #expect(try RawClient(port: first.port).post("/v1/channels", hook).status == 201)
    try first.stop()

    let paths = [libraries, ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? ""]
    let server = try MartletProcess(
      ["--outgoing-to", "127.0.0.1"], in: folder,
      environment: ["LD_LIBRARY_PATH": paths.filter { !$0.isEmpty }.joined(separator: ":")])
    let client = try RawClient(port: server.port)
    for (path, body) in [("/v1/channels", hook), ("/v1/channels/1/test", "")] {
      let answer = try client.post(path, body)
      #expect(answer.status == 503 && answer.problem == "courier-unavailable", "\(answer.text)")
      #expect(answer.text.contains("libcurl.so.4 cannot be loaded"), "\(answer.text)")
    }
    // What is invalid is found before.
    #expect(try client.post("/v1/channels", "{}").status == 422)
    #expect(try client.get("/v1/channels?total=true").json["total"] as? Int == 1)
    #expect(try client.get("/v1/deliveries?total=true").json["total"] as? Int == 0)
    // What needs no message works.
    #expect(try client.request("POST", "/v1/channels/1/rotate").status == 200)
    #expect(try client.request("DELETE", "/v1/channels/1").status == 204)
  }
}
