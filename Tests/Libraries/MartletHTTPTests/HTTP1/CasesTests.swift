import Testing

@testable import MartletHTTP

/// Runs every case of `Cases.http` whole, split in two at each byte, byte by byte, and followed by
/// another request.
@Suite("Requests as their bytes arrive (RFC 9112)")
struct CasesTests {
  @Test("Whole; errors are problems with a Date (item 44, item 65)", arguments: HTTPCase.all)
  func whole(_ each: HTTPCase) {
    check(each, [each.bytes[...]])
  }

  @Test("Byte by byte (item 36)", arguments: HTTPCase.all)
  func byteByByte(_ each: HTTPCase) {
    check(each, each.bytes.indices.map { each.bytes[$0...$0] })
  }

  @Test("Split in two at every byte (item 36)", arguments: HTTPCase.all)
  func split(_ each: HTTPCase) {
    // Within thousands of equal bytes all positions are alike.
    let step = each.bytes.count > 600 ? 97 : 1
    for place in stride(from: 1, to: each.bytes.count, by: step) {
      check(each, [each.bytes[..<place], each.bytes[place...]])
    }
  }

  /// Bytes after the requests of an open connection are the next request; after a refused request
  /// they are dropped.
  @Test("With trailing bytes (item 33)", arguments: HTTPCase.all.filter { $0.end != .wait })
  func trailing(_ each: HTTPCase) {
    let next = Array("GET /trailing HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    var longer = each
    longer.bytes += next
    if each.end == .keep {
      longer.statuses.append(200)
      longer.seen = each.seen.map { $0 + [Array("GET /trailing".utf8)] }
    }
    check(longer, [longer.bytes[...]])
  }

  private func check(_ each: HTTPCase, _ pieces: [ArraySlice<UInt8>]) {
    var machine = Machine()
    for piece in pieces { machine.receive(piece) }
    let statuses = machine.statuses.filter { $0 != 100 }
    #expect(statuses == each.statuses, "\(pieces.count) pieces, first \(pieces[0].count) bytes")
    if let seen = each.seen { #expect(machine.seen == seen) }
    switch each.end {
    case .keep: #expect(machine.http.state == .idle)
    case .wait: #expect(machine.http.state == .head || machine.http.state == .body)
    case .close: #expect(machine.isHalfClosed || machine.isClosed)
    }
    for status in statuses where status >= 400 {
      #expect(machine.text.contains("application/problem+json"))
      #expect(machine.text.contains("\"status\":\(status)"))
      #expect(machine.text.contains("Connection: close\r\n"))
      #expect(machine.text.contains("\r\nDate: "))
    }
  }
}
