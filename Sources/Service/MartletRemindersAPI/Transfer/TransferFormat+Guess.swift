extension TransferFormat {
  /// Detects the format of a file from its first bytes, or else from its extension; `nil` if
  /// unknown.
  ///
  /// - Parameters:
  ///   - name: The name or path of the file. It may have no extension.
  ///   - head: The first bytes of the file, a few hundred or more. An empty file counts as NDJSON.
  public init?(guessing name: String, head: some Collection<UInt8>) {
    let start = head.trimmingPrefix([0xEF, 0xBB, 0xBF]).drop {
      [0x20, 0x09, 0x0A, 0x0D].contains($0)
    }
    if start.isEmpty || start.first == UInt8(ascii: "{") || start.first == UInt8(ascii: "[") {
      self = .ndjson
    } else if TransferFormat.begins(start, "begin:vcalendar") {
      self = .ics
    } else if TransferFormat.isTable(start) {
      self = .csv
    } else if let named = TransferFormat.named(name) {
      self = named
    } else {
      return nil
    }
  }

  private static func named(_ name: String) -> TransferFormat? {
    // Split by bytes: a dot followed by a combining mark is a different `Character`.
    let pieces = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard pieces.count > 1, let ending = pieces.last else { return nil }
    switch String(Substring(ending)).lowercased() {
    case "ndjson", "jsonl", "json": return .ndjson
    case "csv": return .csv
    case "ics", "ical": return .ics
    default: return nil
    }
  }

  /// Whether the bytes begin with the lowercase text, ignoring ASCII case.
  private static func begins(_ bytes: some Collection<UInt8>, _ text: String) -> Bool {
    bytes.prefix(text.utf8.count).elementsEqual(text.utf8) { byte, wanted in
      byte == wanted || ((65...90).contains(byte) && byte + 32 == wanted)
    }
  }

  /// Whether the first line has the column `title`, which every table must have.
  private static func isTable(_ bytes: some Collection<UInt8>) -> Bool {
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    if CSV.separator(ofLine: line) != nil { return true }
    let separator = CSV.separator(ofNames: line)
    return line.split(separator: separator).contains { name in
      CSV.column(name.filter { $0 != CSV.quote }) == "title"
    }
  }
}
