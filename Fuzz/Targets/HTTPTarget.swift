import TestSupport

extension FuzzTarget {
  /// The bytes received on a connection. However they are split and however the client reads the
  /// responses, they lead to the same requests, and the connection is closed in the end.
  static let http = FuzzTarget(name: "http") {
    { bytes in
      var whole = Conversation()
      try whole.receive(bytes)
      try whole.end()
      for manner in [Conversation.Manner.cut, .impatient] {
        // Seeded by the input, so that it is reproducible.
        let seed = bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        var other = Conversation(manner, SeededRandom(seed: seed))
        try other.receive(bytes)
        try other.end()
        if manner == .cut {
          try expect(
            other.requests == whole.requests,
            "cut, \(other.requests.count) requests in place of \(whole.requests.count)")
          try expect(
            other.isRejected == whole.isRejected,
            "cut, it is \(other.isRejected ? "" : "not ")rejected")
        } else {
          try expect(whole.requests.starts(with: other.requests), "impatient, other requests")
        }
      }
    }
  }
}
