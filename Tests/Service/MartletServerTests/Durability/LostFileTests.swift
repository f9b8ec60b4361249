import Foundation
import TestSupport
import Testing

@Suite("A deleted database file") struct LostFileTests {
  @Test("The deletion is logged, and the server exits with 74")
  func deleted() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    #expect(try client.post("/v1/lists", #"{"title":"kept"}"#).status == 201)
    try FileManager.default.removeItem(atPath: server.database)
    let end = try server.wait()
    #expect(end.code == 74)
    #expect(server.log.contains("deleted or replaced") && server.log.contains(server.database))
    // The server does not create a new file. Restoring the old one is up to the operator.
    #expect(!FileManager.default.fileExists(atPath: server.database))
  }
}
