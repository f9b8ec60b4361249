import Testing

@testable import MartletServer

@Suite("Histograms") struct HistogramTests {
  @Test("Times are in seconds, and a value at a bound belongs to its bucket")
  func seconds() {
    var times = Histogram.times
    times.add(.milliseconds(3))
    var text = ""
    times.write("t", to: &text)
    #expect(
      text.contains("t_bucket{le=\"0.0025\"} 0\n") && text.contains("t_bucket{le=\"0.005\"} 1\n"))
    #expect(text.contains("t_sum 0.003\n") && text.contains("t_count 1\n"))
    var sizes = Histogram.sizes
    for size in [4.0, 4.1, 1_000] { sizes.add(size) }
    text = ""
    sizes.write("s", "a=\"b\",", to: &text)
    #expect(text.contains("s_bucket{a=\"b\",le=\"4\"} 1\n"))
    #expect(text.contains("s_bucket{a=\"b\",le=\"8\"} 2\n"))
    #expect(
      text.contains("s_bucket{a=\"b\",le=\"+Inf\"} 3\n") && text.contains("s_count{a=\"b\"} 3\n"))
  }
}
