import CMartletAssets
import MartletReminders
import MartletStore

/// The files embedded in the program: `openapi.yaml`, the pages and `docs/problems.md`.
enum Assets {
  /// The paths of all embedded files in the repository.
  static var names: [String] {
    var names: [String] = []
    each { name, _ in
      names.append(name)
      return true
    }
    return names
  }

  /// The contents of an embedded file. Traps if there is none of this name.
  static func bytes(_ name: String) -> [UInt8] {
    var bytes: [UInt8]?
    each { next, contents in
      if next == name { bytes = Array(contents) }
      return bytes == nil
    }
    guard let bytes else { preconditionFailure("\(name) is not embedded") }
    return bytes
  }

  private static func each(_ body: (String, UnsafeBufferPointer<UInt8>) -> Bool) {
    var asset = cassets
    while let next = asset, let name = next.pointee.name,
      body(
        String(cString: name),
        UnsafeBufferPointer(start: next.pointee.bytes, count: next.pointee.count))
    {
      asset = next + 1
    }
  }
}
