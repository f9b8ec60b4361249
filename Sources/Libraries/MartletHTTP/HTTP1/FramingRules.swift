import MartletJSON

/// Applies the fields of a complete head that concern the message: its host, its length, and
/// whether the connection stays open (RFC 9110 section 7.2, RFC 9112 sections 3.2, 6 and 9).
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
      // Check the length of the name first: it rules out most fields without a comparison.
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
          throw .malformed(
            "Content-Type, Authorization or Last-Event-ID has two different values.",
            "RFC 9110 5.3")
        }
      default: break
      }
    }
    if storage.isChunked {
      guard length == nil else {
        throw .malformed("Content-Length and Transfer-Encoding exclude each other.", "RFC 9112 6.1")
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

  /// Parses `Content-Length = 1*DIGIT` (RFC 9110 section 8.6).
  private static func contentLength(
    _ value: UnsafeBufferPointer<UInt8>
  ) throws(ProtocolError) -> Int {
    guard value.count > 0 else {
      throw .malformed("Content-Length must be a number.", "RFC 9110 8.6")
    }
    var length = 0
    var isTooLarge = false
    for byte in value {
      guard Grammar.isDigit(byte) else {
        throw .malformed("Content-Length must be a number.", "RFC 9110 8.6")
      }
      let (tens, overflow) = length.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int(byte &- 0x30))
      isTooLarge = isTooLarge || overflow || carry
      length = sum
    }
    // It exceeds the limit of every route.
    return isTooLarge ? .max : length
  }

  /// Checks `Transfer-Encoding = #transfer-coding`, which must be `chunked` alone (RFC 9112
  /// sections 6.1 and 7).
  ///
  /// The response is 400 if the value makes the length of the message ambiguous, and 501 if the
  /// value is valid but not supported.
  private static func transferEncoding(
    _ value: UnsafeBufferPointer<UInt8>
  ) throws(ProtocolError) {
    if value.equalsIgnoringCase("chunked") { return }
    let doubtful = ProtocolError.malformed(
      "Transfer-Encoding must be chunked, once and last.", "RFC 9112 6.1")
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
      throw .malformed("An HTTP/1.1 request must have a Host field.", "RFC 9112 3.2")
    }
    if let host, HostName.part(of: host) == nil {
      throw .malformed("Host must be a name or an address with an optional port.", "RFC 9110 7.2")
    }
    // The authority of an absolute target takes precedence over Host, even if they differ (RFC 9112
    // section 3.2.2).
    guard let asked = storage.authority.map({ storage[$0] }) ?? host else { return }
    guard let name = HostName.part(of: asked) else {
      throw .malformed(
        "The target's authority must be a name or an address with an optional port.",
        "RFC 9110 4.2")
    }
    guard let allowedHosts else { return }
    if !allowedHosts.contains(name) { throw .misdirected }
    // The name that the proxy's clients use has to be an allowed host, too.
    guard storage.isProxied,
      var forwarded = RequestFields(storage: storage).lastElement(of: "X-Forwarded-Host")
    else { return }
    let isAllowed = forwarded.withUTF8 { bytes in
      HostName.part(of: bytes).map { allowedHosts.contains($0) } ?? false
    }
    if !isAllowed { throw .misdirected }
  }
}
