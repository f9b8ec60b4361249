import Testing

@testable import martlet

@Suite("Histograms of the metrics page") struct HistogramTests {
  private func lines(_ histogram: Histogram, _ labels: String = "") -> [String] {
    var text = ""
    histogram.write("x", labels, to: &text)
    return text.split(separator: "\n").map(String.init)
  }

  @Test("Nanoseconds are told in seconds, the unit of Prometheus")
  func seconds() {
    var histogram = Histogram.times
    histogram.add(nanoseconds: 3_000_000)
    let lines = lines(histogram)
    #expect(lines.contains("x_bucket{le=\"0.0025\"} 0"))
    #expect(lines.contains("x_bucket{le=\"0.005\"} 1"))
    #expect(lines.suffix(2) == ["x_sum 0.003", "x_count 1"])
  }

  @Test("A bucket counts what is at most its bound, and all smaller ones")
  func bounds() {
    var histogram = Histogram([1, 2.5])
    for value in [0.5, 1, 1.5, 2.5, 100] { histogram.add(value) }
    #expect(
      lines(histogram, "route=\"/a\",") == [
        "x_bucket{route=\"/a\",le=\"1\"} 2", "x_bucket{route=\"/a\",le=\"2.5\"} 4",
        "x_bucket{route=\"/a\",le=\"+Inf\"} 5", "x_sum{route=\"/a\"} 105.5",
        "x_count{route=\"/a\"} 5",
      ])
  }
}
