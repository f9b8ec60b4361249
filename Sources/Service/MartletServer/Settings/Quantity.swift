/// A kind of quantity that is written with a unit: a size (`64KiB`) or a duration (`10s`).
///
/// A number without a unit is in bytes or milliseconds.
struct Quantity {
  /// The units, smallest first.
  let units: [(name: String, factor: Int)]

  static let size = Quantity(units: [
    ("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30),
  ])
  static let duration = Quantity(
    units: [("ms", 1), ("s", 1000), ("min", 60_000), ("h", 3_600_000), ("d", 86_400_000)])

  /// The value in the smallest unit; `nil` if the text is malformed or the value overflows.
  func parse(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count)
    guard let number = Int(digits),
      let factor = unit.isEmpty ? 1 : units.first(where: { $0.name == unit })?.factor
    else { return nil }
    let (value, overflows) = number.multipliedReportingOverflow(by: factor)
    return overflows ? nil : value
  }

  /// The value in the largest unit of which it is a whole multiple.
  func text(_ value: Int) -> String {
    let unit = units.last { value >= $0.factor && value.isMultiple(of: $0.factor) } ?? units[0]
    return "\(value / unit.factor)\(unit.name)"
  }

  /// The names of the units for messages: `ms, s, min, h, d`.
  var unitNames: String { units.map(\.name).joined(separator: ", ") }
}
