import TestSupport

extension FuzzTarget {
  /// A line of quick add, in each language.
  static let quickAdd = FuzzTarget(name: "quickadd") {
    { bytes in
      let violation = fuzzQuickAdd(bytes)
      try expect(violation == nil, violation ?? "")
    }
  }
}
