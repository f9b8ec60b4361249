import Glibc

// make bench-live [ARGS="fanout memory"], or ARGS="--check" for a run with few clients and writes

/// Prints a row of a table immediately.
func row(_ cells: String...) {
  print("| \(cells.joined(separator: " | ")) |")
  fflush(nil)
}

func header(_ cells: String...) {
  print("| \(cells.joined(separator: " | ")) |")
  print("|\(String(repeating: "---|", count: cells.count))")
}

/// The percentile of the values; `part` is a fraction such as 0.99.
func percentile(_ values: [Double], _ part: Double) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return .nan }
  return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
}

func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(values.count, 1)) }

extension Double {
  /// The number rounded to this many decimal places.
  func shown(_ digits: Int = 1) -> String {
    let scale = pow(10, Double(digits))
    let rounded = (self * scale).rounded() / scale
    return digits == 0 ? "\(Int(rounded))" : "\(rounded)"
  }
  var milliseconds: String { (self * 1000).shown(2) }
}

/// The body of the `number`th write; its title appears in the event.
func tick(_ number: Int) -> String {
  let digits = String(number)
  return #"{"title":"tick-\#(String(repeating: "0", count: 8 - digits.count))\#(digits)"}"#
}

let scenarios: [(name: String, run: () throws -> Void)] = [
  ("fanout", fanout), ("distinct", distinct), ("commit", commitCost), ("memory", memory),
  ("storm", storm), ("write", writeLatency),
]

do {
  let wanted = CommandLine.arguments.dropFirst().filter { $0 != "--check" }
  for word in wanted where !scenarios.contains(where: { $0.name == word }) {
    throw Failure("unknown \"\(word)\"; expected \(scenarios.map(\.name).joined(separator: ", "))")
  }
  for scenario in scenarios where wanted.isEmpty || wanted.contains(scenario.name) {
    try scenario.run()
    print()
  }
} catch {
  let text = "live-bench: \(error)\n"
  write(2, text, text.utf8.count)
  exit(1)
}
