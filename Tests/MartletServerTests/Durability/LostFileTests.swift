import Foundation
import TestSupport
import Testing

@Suite("A database file that is gone") struct LostFileTests {
  @Test("It is noticed: the log says so, nothing more is acknowledged, and the server ends with 74")
  func deleted() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    #expect(try client.post("/v1/lists", #"{"title":"kept"}"#).status == 201)
    try FileManager.default.removeItem(atPath: server.database)
    let end = try server.wait()
    #expect(end.code == 74)
    #expect(server.log.contains("deleted or replaced") && server.log.contains(server.database))
    // Another start makes a new file, and says nothing of the old one: it is the operator's to put back.
    #expect(!FileManager.default.fileExists(atPath: server.database))
  }
}
