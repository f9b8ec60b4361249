import MartletJSON
import MartletStore

/// The JSON that a node sends about the digest of its content: `GET /cluster/check?entry=N`.
struct ContentDocument {
  /// The last entry that the node has applied.
  var seq: Int64
  /// The state of the digest; `nil` if none was begun.
  var check: ContentCheck?

  /// Writes the members of the document.
  func write(into object: inout JSONObjectWriter) {
    object.member("entry", Int(seq))
    switch check {
    case nil: break
    case .running: object.member("isRunning", true)
    case .failed(let reason): object.member("reason", reason)
    case .finished(let digest):
      object.member("digest", Int(digest.seq))
      object.member("tables") { buffer in
        buffer.append(UInt8(ascii: "["))
        for (index, (name, table)) in digest.tables.sorted(by: { $0.key < $1.key }).enumerated() {
          if index > 0 { buffer.append(UInt8(ascii: ",")) }
          JSONWriter.object(into: buffer) { object in
            object.member("name", name)
            object.member("rows", table.rows)
            object.member("hash", String(table.hash, radix: 16))
          }
        }
        buffer.append(UInt8(ascii: "]"))
      }
    }
  }

  /// Reads a document; `nil` if it has another form.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let object = try? JSONValue.parse(bytes).object, let seq = object["entry"]?.int64 else {
      return nil
    }
    self.seq = seq
    if let entry = object["digest"]?.int64, let tables = object["tables"]?.array {
      var digest = ContentDigest(seq: entry, tables: [:])
      for value in tables {
        guard let table = value.object, let name = table["name"]?.string,
          let rows = table["rows"]?.int64,
          let hash = table["hash"]?.string.flatMap({ UInt64($0, radix: 16) })
        else { return nil }
        digest.tables[name] = .init(rows: Int(rows), hash: hash)
      }
      check = .finished(digest)
    } else if let reason = object["reason"]?.string {
      check = .failed(reason)
    } else if object["isRunning"]?.bool == true {
      check = .running
    }
  }

  /// Describes a node.
  init(seq: Int64, check: ContentCheck?) {
    self.seq = seq
    self.check = check
  }
}
