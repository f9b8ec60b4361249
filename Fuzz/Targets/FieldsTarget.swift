import MartletLiveQueries

@testable import MartletHTTP
@testable import MartletLiveAPI

extension FuzzTarget {
  /// The values of parsed header fields. The meaning of a value can be written, and reads back the
  /// same.
  static let fields = FuzzTarget(name: "fields") {
    { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      try readTags(text)
      try readTypes(text)
      _ = AcceptEncoding(text).prefersGzip
      if let host = HostName.part(of: bytes) {
        try expect(host.count > 0 && host.count <= bytes.count, "a host of \(host.count) bytes")
      }
    }
  }

  private static func readTags(_ text: String) throws {
    guard let tag = ETag(lastEventID: text) else {
      _ = EntityTags(text)
      return
    }
    try expect(ETag(lastEventID: tag.description) == tag, "the tag is not \(tag)")
    try expect(ETag(lastEventID: tag.compressed) == tag, "the tag is not \(tag.compressed)")
    try expect(EntityTags(text).contains(tag), "a list of the tag does not hold it")
  }

  private static func readTypes(_ text: String) throws {
    let accept = Accept(text)
    let offers: [MediaType] = [.json, .problem, .eventStream]
    for offer in offers {
      try expect(0...1000 ~= accept.quality(of: offer), "a weight of \(accept.quality(of: offer))")
    }
    if let best = accept.best(of: offers) {
      let quality = accept.quality(of: best)
      try expect(
        quality > 0 && offers.allSatisfy { accept.quality(of: $0) <= quality },
        "\(best) is not the best")
    }
    if let type = MediaType(text) {
      try expect(MediaType(type.description) == type, "\(type) reads as another")
    }
  }
}
