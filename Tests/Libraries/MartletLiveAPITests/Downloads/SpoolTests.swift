import Glibc
import MartletHTTP
import MartletJSON
import Synchronization
import TestSupport
import Testing

@testable import MartletLiveAPI

@Suite("The spool of a download") struct SpoolTests {
  private let folder: TemporaryFolder
  private let lane = DownloadSlots(most: 1)
  private let spool: Spool

  init() throws {
    folder = try TemporaryFolder()
    spool = try Spool(in: folder.path, place: lane.place(for: 1))
  }

  private func write(_ text: String) throws {
    try Array(text.utf8).withUnsafeBufferPointer { try spool.write($0) }
  }

  private func read(_ outlet: Spool.Outlet, _ most: Int = 100) -> (String, BodyProgress) {
    let buffer = ByteBuffer()
    let progress = outlet.read(upTo: most, into: buffer)
    return (String(decoding: buffer.bytes, as: UTF8.self), progress)
  }

  @Test("Written bytes are read in pieces up to the end")
  func pieces() throws {
    let outlet = Spool.Outlet(spool)
    #expect(read(outlet) == ("", .wait))
    try write("abcdef")
    #expect(read(outlet, 4) == ("abcd", .more))
    try write("gh")
    #expect(read(outlet) == ("efgh", .wait))
    spool.finish()
    #expect(read(outlet) == ("", .end))
    #expect(!spool.isStopped)
  }

  @Test("After a failure nothing more is read, and the disk space is freed at once")
  func failure() throws {
    let outlet = Spool.Outlet(spool)
    try write(String(repeating: "x", count: 100_000))
    _ = read(outlet)
    spool.fail()
    #expect(read(outlet) == ("", .failed))
  }

  @Test("Losing the response stops the spool and frees its place")
  func lost() throws {
    #expect(
      lane.isFull(for: 1)
        == "Too many downloads are in progress, at most 1 are permitted. Try again in 5 s.")
    var outlet: Spool.Outlet? = Spool.Outlet(spool)
    #expect(outlet != nil && !spool.isStopped)
    outlet = nil
    #expect(spool.isStopped)
    do { _ = try Spool(in: folder.path, place: DownloadSlots(most: 1).place(for: 1)) }
    #expect(throws: SpoolError.self) {
      _ = try Spool(in: folder.path + "/nowhere", place: DownloadSlots(most: 1).place(for: 1))
    }
  }

  @Test("A client has some of the places, and gives them back")
  func places() {
    let lane = DownloadSlots(most: 3, perClient: 2)
    var own = [lane.place(for: 1), lane.place(for: 1)]
    #expect(
      lane.isFull(for: 1)
        == "Too many downloads are in progress, at most 2 of one client are permitted. Try again in 5 s."
    )
    #expect(lane.isFull(for: 2) == nil)
    let other = lane.place(for: 2)
    #expect(lane.isFull(for: 3)?.contains("at most 3 are permitted") == true)
    own.removeAll()
    #expect(lane.isFull(for: 1) == nil)
    withExtendedLifetime(other) {}
  }

  @Test("A refused client receives no more, and the writer stops")
  func refused() throws {
    let isRefused = Atomic(false)
    var outlet: Spool.Outlet? = Spool.Outlet(spool) { isRefused.load(ordering: .relaxed) }
    try write("abcdef")
    spool.finish()
    #expect(try #require(outlet.map { read($0, 2) }) == ("ab", .more))
    isRefused.store(true, ordering: .relaxed)
    #expect(try #require(outlet.map { read($0, 2) }) == ("", .failed))
    outlet = nil
    #expect(spool.isStopped)
  }
}
