import MartletTime

/// A histogram with fixed buckets, in Prometheus's text format.
struct Histogram: Sendable {
  /// The upper bounds of the buckets; the last bucket has none.
  let bounds: [Double]
  private(set) var counts: [Int]
  private(set) var sum = 0.0

  init(_ bounds: [Double]) {
    self.bounds = bounds
    counts = [Int](repeating: 0, count: bounds.count + 1)
  }

  /// Buckets for durations in seconds, from 0.1 ms to 5 s.
  static let times = Histogram([
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
  ])
  /// Buckets for the number of writes in a commit.
  static let sizes = Histogram([1, 2, 4, 8, 16, 32, 64, 128, 256])

  /// Counts a value.
  mutating func add(_ value: Double) {
    var place = 0
    while place < bounds.count, value > bounds[place] { place += 1 }
    counts[place] += 1
    sum += value
  }

  mutating func add(_ duration: Duration) { add(Double(duration.wholeNanoseconds) / 1e9) }

  /// Appends the samples.
  ///
  /// - Parameter labels: Labels with a trailing comma, such as `route="/v1/lists",`, or nothing.
  func write(_ name: String, _ labels: String = "", to text: inout String) {
    var total = 0
    for (bound, count) in zip(bounds, counts) {
      total += count
      text += "\(name)_bucket{\(labels)le=\"\(Histogram.text(bound))\"} \(total)\n"
    }
    total += counts.last ?? 0
    text += "\(name)_bucket{\(labels)le=\"+Inf\"} \(total)\n"
    let own = labels.isEmpty ? "" : "{\(labels.dropLast())}"
    text += "\(name)_sum\(own) \(sum)\n\(name)_count\(own) \(total)\n"
  }

  private static func text(_ bound: Double) -> String {
    bound == bound.rounded() ? "\(Int(bound))" : "\(bound)"
  }
}
