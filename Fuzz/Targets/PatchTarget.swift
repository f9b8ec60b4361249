@testable import JSON

extension FuzzTarget {
  /// RFC 7396: a document, a line feed, and a patch. Compared with the algorithm as it stands there.
  static let patch = FuzzTarget(name: "patch") {
    { bytes in
      guard let lineFeed = bytes.firstIndex(of: 0x0A) else { return }
      let before = UnsafeBufferPointer(rebasing: bytes[..<lineFeed])
      let behind = UnsafeBufferPointer(rebasing: bytes[(lineFeed + 1)...])
      guard let target = try? JSONValue.parse(before), let patch = try? JSONValue.parse(behind)
      else { return }
      let result = MergePatch.apply(patch, to: target)
      let expected = mergePatch(target, patch)
      try expect(result.isEquivalent(to: expected), "\(result) in place of \(expected)")
      try expect(MergePatch.apply(patch, to: result) == result, "twice it is another")
      for (old, new) in [(target, result), (target, patch), (patch, target)] {
        guard let difference = MergePatch.diff(from: old, to: new) else { continue }
        let again = MergePatch.apply(difference, to: old)
        try expect(again.isEquivalent(to: new), "\(difference) makes \(again) of \(old)")
      }
    }
  }

  /// RFC 7396 section 2.
  private static func mergePatch(_ target: JSONValue, _ patch: JSONValue) -> JSONValue {
    guard let changes = patch.object?.lastMembers else { return patch }
    var members = target.object?.lastMembers ?? [:]
    for (name, value) in changes {
      members[name] = value.isNull ? nil : mergePatch(members[name] ?? .null, value)
    }
    return .object(JSONObject(members.map { ($0.key.text, $0.value) }))
  }
}
