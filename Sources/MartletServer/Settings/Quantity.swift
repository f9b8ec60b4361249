/// Sizes and durations as people write them: `64KiB`, `10s`. A bare number counts bytes or milliseconds.
struct Quantity {
  /// From the smallest unit to the largest.
  let units: [(name: String, factor: Int)]

  static let size = Quantity(units: [
    ("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30),
  ])
  static let duration = Quantity(
    units: [("ms", 1), ("s", 1000), ("min", 60_000), ("h", 3_600_000), ("d", 86_400_000)])

  func parse(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count)
    guard let number = Int(digits),
      let factor = unit.isEmpty ? 1 : units.first(where: { $0.name == unit })?.factor
    else { return nil }
    let (value, overflows) = number.multipliedReportingOverflow(by: factor)
    return overflows ? nil : value
  }

  /// In the largest unit that it is a whole number of.
  func text(_ value: Int) -> String {
    let unit = units.last { value >= $0.factor && value.isMultiple(of: $0.factor) } ?? units[0]
    return "\(value / unit.factor)\(unit.name)"
  }

  /// `10s, 500ms`, to show how it is written.
  var unitNames: String { units.map(\.name).joined(separator: ", ") }
}
