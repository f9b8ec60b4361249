@testable import MartletLiveAPI

extension FuzzTarget {
  /// The value of `Authorization`. A credential has exactly one written form.
  static let key = FuzzTarget(name: "key") {
    { bytes in
      if let credential = Credential(bytes) {
        try expect(credential.text.utf8.elementsEqual(bytes), "it is written \(credential.text)")
      }
      guard case .some(.some(let shown)) = Gate.bearer(bytes) else { return }
      let rest = bytes.suffix(shown.text.utf8.count)
      try expect(shown.text.utf8.elementsEqual(rest), "a credential that was not shown")
      let scheme = String(decoding: bytes.prefix(6), as: UTF8.self)
      try expect(scheme.lowercased() == "bearer", "another scheme is believed")
    }
  }
}
