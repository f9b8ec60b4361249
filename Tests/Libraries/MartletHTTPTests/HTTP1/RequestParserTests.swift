import Glibc
import Testing

@testable import MartletHTTP

@Suite("The parser does not read beyond its bytes")
struct RequestParserTests {
  /// Each case ends right before a page that must not be read.
  @Test("Cases that end at a guard page", arguments: HTTPCase.all)
  func guardPage(_ each: HTTPCase) throws {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let pages = (each.bytes.count + page - 1) / page
    let memory = try #require(
      mmap(nil, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    defer { munmap(memory, (pages + 1) * page) }
    mprotect(memory + pages * page, page, PROT_NONE)
    let start = (memory + pages * page - each.bytes.count)
      .bindMemory(to: UInt8.self, capacity: each.bytes.count)
    start.update(from: each.bytes, count: each.bytes.count)

    let storage = RequestStorage()
    var parser = RequestParser()
    let bytes = UnsafeBufferPointer(start: start, count: each.bytes.count)
    guard case .head(let count)? = try? parser.parse(bytes, into: storage, limits: Limits()),
      (try? TargetParser.decode(storage)) != nil,
      (try? FramingRules.apply(to: storage, allowedHosts: nil)) != nil
    else { return }
    guard var decoder = try? BodyDecoder(storage, most: 1 << 20, limits: Limits()) else { return }
    _ = try? decoder.decode(bytes[slice: count, bytes.count])
  }
}
