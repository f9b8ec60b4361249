import MartletJSON

/// What the fields of a complete head say about the message: its host, its length, whether the
/// connection stays (RFC 9110 section 7.2, RFC 9112 sections 3.2, 6 and 9).
enum FramingRules {
  static func apply(
    to storage: RequestStorage, allowedHosts: AllowedHosts?
  ) throws(ProtocolError) {
    var host: UnsafeBufferPointer<UInt8>?
    var length: Int?
    var expectation: UnsafeBufferPointer<UInt8>?
    var closes = false
    var keepsAlive = false
    for field in storage.fields {
      let name = storage[field.name]
      let value = storage[field.value]
      // The length first: most fields are told apart from these without a comparison.
      switch name.count {
      case 4 where name.equalsIgnoringCase("Host"):
        guard host == nil else { throw .malformed("There are two Host fields.", "RFC 9112 3.2") }
        host = value
      case 6 where name.equalsIgnoringCase("Expect"):
        expectation = value
      case 10 where name.equalsIgnoringCase("Connection"):
        value.visitListMembers {
          closes = closes || $0.equalsIgnoringCase("close")
          keepsAlive = keepsAlive || $0.equalsIgnoringCase("keep-alive")
        }
      case 14 where name.equalsIgnoringCase("Content-Length"):
        guard length == nil else {
          throw .malformed("There are two Content-Length fields.", "RFC 9112 6.3")
        }
        length = try contentLength(value)
      case 17 where name.equalsIgnoringCase("Transfer-Encoding"):
        guard !storage.isChunked else {
          throw .malformed("There are two Transfer-Encoding fields.", "RFC 9112 6.1")
        }
        try transferEncoding(value)
        storage.isChunked = true
      case 12 where name.equalsIgnoringCase("Content-Type"),
        13
      where name.equalsIgnoringCase("Authorization")
        || name.equalsIgnoringCase("Last-Event-ID"):
        if let first = storage.first(name), !first.elementsEqual(value) {
          throw .malformed("A field that has one value has two.", "RFC 9110 5.3")
        }
      default: break
      }
    }
    if storage.isChunked {
      guard length == nil else {
        throw .malformed("There is a Content-Length besides Transfer-Encoding.", "RFC 9112 6.1")
      }
      guard !storage.isHTTP10 else {
        throw .malformed("HTTP/1.0 has no Transfer-Encoding.", "RFC 9112 6.1")
      }
    }
    storage.length = length ?? 0
    storage.mayPersist = !closes && (keepsAlive || !storage.isHTTP10)
    if let expectation, !storage.isHTTP10 {
      var isKnown = true
      var isThere = false
      expectation.visitListMembers {
        isThere = true
        isKnown = isKnown && $0.equalsIgnoringCase("100-continue")
      }
      guard isKnown else { throw .unknownExpectation }
      storage.expectsContinue = isThere && storage.hasBody
    }
    try checkHost(host, storage, allowedHosts)
  }

  /// `Content-Length = 1*DIGIT` (RFC 9110 section 8.6)
  private static func contentLength(
    _ value: UnsafeBufferPointer<UInt8>
  ) throws(ProtocolError) -> Int {
    guard value.count > 0 else {
      throw .malformed("Content-Length is a number.", "RFC 9110 8.6")
    }
    var length = 0
    var isTooLarge = false
    for byte in value {
      guard Grammar.isDigit(byte) else {
        throw .malformed("Content-Length is a number.", "RFC 9110 8.6")
      }
      let (tens, overflow) = length.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int(byte &- 0x30))
      isTooLarge = isTooLarge || overflow || carry
      length = sum
    }
    // Which is more than any route reads.
    return isTooLarge ? .max : length
  }

  /// `Transfer-Encoding = #transfer-coding`, of which only `chunked` alone is read (RFC 9112
  /// sections 6.1 and 7). What would leave the end of the message in doubt is 400, what is clear
  /// but not supported 501.
  private static func transferEncoding(
    _ value: UnsafeBufferPointer<UInt8>
  ) throws(ProtocolError) {
    if value.equalsIgnoringCase("chunked") { return }
    let doubtful = ProtocolError.malformed(
      "The only Transfer-Encoding is one final chunked.", "RFC 9112 6.1")
    var chunked = 0
    var lastIsChunked = false
    var isUnknown = false
    var start = 0
    for place in 0...value.count where place == value.count || value[place] == UInt8(ascii: ",") {
      let coding = value[slice: start, place].trimmed
      start = place + 1
      guard Grammar.isToken(coding), !coding.equalsIgnoringCase("identity") else { throw doubtful }
      lastIsChunked = coding.equalsIgnoringCase("chunked")
      chunked += lastIsChunked ? 1 : 0
      isUnknown =
        isUnknown
        || !(lastIsChunked || coding.equalsIgnoringCase("gzip")
          || coding.equalsIgnoringCase("x-gzip") || coding.equalsIgnoringCase("deflate")
          || coding.equalsIgnoringCase("compress") || coding.equalsIgnoringCase("x-compress"))
    }
    guard chunked < 2, lastIsChunked || (isUnknown && chunked == 0) else { throw doubtful }
    throw .unknownCoding
  }

  private static func checkHost(
    _ host: UnsafeBufferPointer<UInt8>?, _ storage: RequestStorage, _ allowedHosts: AllowedHosts?
  ) throws(ProtocolError) {
    guard host != nil || storage.isHTTP10 else {
      throw .malformed("An HTTP/1.1 request has a Host field.", "RFC 9112 3.2")
    }
    if let host, HostName.part(of: host) == nil {
      throw .malformed("Host is a name or an address, and perhaps a port.", "RFC 9110 7.2")
    }
    // An absolute target's authority counts, and Host does not, whether they differ or not (RFC 9112
    // section 3.2.2).
    guard let asked = storage.authority.map({ storage[$0] }) ?? host else { return }
    guard let name = HostName.part(of: asked) else {
      throw .malformed(
        "The target's authority is a name or an address, and perhaps a port.", "RFC 9110 4.2")
    }
    guard let allowedHosts else { return }
    if !allowedHosts.contains(name) { throw .misdirected }
    // The name that the proxy's clients use has to be one of ours, too.
    guard storage.isProxied,
      var forwarded = RequestFields(storage: storage).lastElement(of: "X-Forwarded-Host")
    else { return }
    let isAllowed = forwarded.withUTF8 { bytes in
      HostName.part(of: bytes).map { allowedHosts.contains($0) } ?? false
    }
    if !isAllowed { throw .misdirected }
  }
}
