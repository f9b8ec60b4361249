import MartletJSON
import MartletLiveAPI
import MartletReminders

@testable import MartletRemindersAPI

extension FuzzTarget {
  /// An imported file, whose first byte selects the format. Records that are read can be written,
  /// and read back the same.
  static let transfer = FuzzTarget(name: "transfer") {
    { bytes in
      guard let first = bytes.first else { return }
      let formats: [UInt8: TransferFormat] = [
        UInt8(ascii: "n"): .ndjson, UInt8(ascii: "c"): .csv, UInt8(ascii: "i"): .ics,
      ]
      guard let format = formats[first] else { return }
      let file = UnsafeBufferPointer(rebasing: bytes.dropFirst())
      guard let records = try? format.records(of: file) else { return }
      let written = format.text(of: records)
      let again = format.text(of: try format.records(of: written.bytes))
      try expect(
        written.bytes.elementsEqual(again.bytes),
        "\(String(decoding: written.bytes, as: UTF8.self)) became \(String(decoding: again.bytes, as: UTF8.self))"
      )
    }
  }
}

extension TransferFormat {
  fileprivate func records(
    of bytes: UnsafeBufferPointer<UInt8>
  ) throws -> [TransferRecord] {
    var lines = MemoryLines(SharedBytes(bytes))
    var reader = reader()
    var records: [TransferRecord] = []
    while try lines.next({ records += try reader.read($0) }) {}
    try reader.finish()
    return records
  }

  fileprivate func text(of records: [TransferRecord]) -> ByteBuffer {
    let buffer = ByteBuffer(capacity: 1024)
    var writer = writer()
    var counts = TransferCounts()
    writer.begin(into: buffer)
    for record in records {
      counts.add(record)
      writer.write(record, into: buffer)
    }
    writer.end(counts, into: buffer)
    return buffer
  }
}
