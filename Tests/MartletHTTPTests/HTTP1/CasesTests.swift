import Testing

@testable import MartletHTTP

/// Runs every file of `Cases` whole, split in two at each byte, byte by byte, and followed by
/// another request.
@Suite("Requests as their bytes arrive (RFC 9112)")
struct CasesTests {
  @Test("Whole; errors are problems with a Date (item 44, item 65)", arguments: CaseFile.all)
  func whole(_ file: CaseFile) {
    check(file, [file.bytes[...]])
  }

  @Test("Byte by byte (item 36)", arguments: CaseFile.all)
  func byteByByte(_ file: CaseFile) {
    check(file, file.bytes.indices.map { file.bytes[$0...$0] })
  }

  @Test("Split in two at every byte (item 36)", arguments: CaseFile.all)
  func split(_ file: CaseFile) {
    // Within thousands of equal bytes all positions are alike.
    let step = file.bytes.count > 600 ? 97 : 1
    for place in stride(from: 1, to: file.bytes.count, by: step) {
      check(file, [file.bytes[..<place], file.bytes[place...]])
    }
  }

  /// Bytes after the requests of an open connection are the next request; after a refused request
  /// they are dropped.
  @Test("With trailing bytes (item 33)", arguments: CaseFile.all.filter { $0.end != .wait })
  func trailing(_ file: CaseFile) {
    let next = Array("GET /trailing HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    var longer = file
    longer.bytes += next
    if file.end == .keep {
      longer.statuses.append(200)
      longer.seen = file.seen.map { $0 + [Array("GET /trailing".utf8)] }
    }
    check(longer, [longer.bytes[...]])
  }

  private func check(_ file: CaseFile, _ pieces: [ArraySlice<UInt8>]) {
    var machine = Machine()
    for piece in pieces { machine.receive(piece) }
    let statuses = machine.statuses.filter { $0 != 100 }
    #expect(statuses == file.statuses, "\(pieces.count) pieces, first \(pieces[0].count) bytes")
    if let seen = file.seen { #expect(machine.seen == seen) }
    switch file.end {
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
