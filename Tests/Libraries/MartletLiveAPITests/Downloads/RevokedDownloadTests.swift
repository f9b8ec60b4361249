import Foundation
import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization
import TestSupport
import Testing

@Suite("Downloads of a revoked key") struct RevokedDownloadTests {
  @Test("A download stops, and what has been produced is not sent")
  func revoked() throws {
    let hasEnded = Atomic(false)
    // An endless file.
    let file = Route.download("/file") { _ in
      Download(type: "text/plain", name: "file") { _, body, goOn in
        defer { hasEnded.store(true, ordering: .releasing) }
        while true {
          body.append(utf8: String(repeating: "x", count: 1 << 18))
          try goOn()
          usleep(1000)
        }
      }
    }
    var limits = Limits()
    limits.writeTimeout = .milliseconds(600_000)
    let service = try NotesService(limits: limits, keys: Gate.Settings(), routes: [file])
    let key = try service.database.write {
      try APIKeys.create("key", Rights(.admin), expiresAt: nil, now: Clock.system.now(), in: $0)
    }
    // Reads the head and a little more, and then leaves the rest in the socket.
    let client = try service.client()
    try client.send(
      "GET /file HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(key.text)\r\n\r\n")
    #expect(try client.responseHead().status == 200)
    #expect(
      try service.database.write {
        try APIKeys.revoke(key.id, now: Clock.system.now(), in: $0)
      })
    let end = ContinuousClock.now + .seconds(20)
    while !hasEnded.load(ordering: .acquiring), ContinuousClock.now < end { usleep(1000) }
    let isOver = hasEnded.load(ordering: .acquiring)
    #expect(isOver)
    // The connection is cut: the chunked body has no end.
    let rest = try? client.receiveAll()
    #expect(
      rest.map { !String(decoding: $0.suffix(5), as: UTF8.self).hasSuffix("0\r\n\r\n") } ?? true)
  }
}
