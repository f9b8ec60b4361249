import Foundation
import MartletCluster
import TestSupport
import Testing

@testable import MartletServer

@Suite("docs/metrics.md") struct MetricsPageTests {
  private func names(_ text: String, _ pattern: Regex<(Substring, Substring)>) -> Set<String> {
    Set(text.matches(of: pattern).map { String($0.1) })
  }

  @Test("It lists exactly the metrics of the server")
  func names() throws {
    let folder = try TemporaryFolder()
    let isOfCluster = (try? ClusterNode.libraryVersion()) != nil
    let server = try MartletProcess(
      ["--backup-dir", folder.file("backups")] + (isOfCluster ? try cluster(folder) : []),
      in: folder)
    let client = try RawClient(port: server.port)
    let deadline = ContinuousClock.now + .seconds(20)
    var text = ""
    repeat {
      text = try client.get("/metrics").text
    } while !text.contains("backup_age") && ContinuousClock.now < deadline
    let served = names(text, #/(?m)^# TYPE (\w+) (?:counter|gauge|histogram)$/#)
    let described = names(text, #/(?m)^# HELP (\w+) .+$/#)
    #expect(served == described)
    let documented = names(
      try Repository.text("docs/metrics.md"), #/(?m)^\| `((?:martlet|process)_\w+)` \|/#)
    #expect(
      served == documented.filter { isOfCluster || !$0.hasPrefix("martlet_cluster_") })
    _ = try server.stop()
  }

  /// The flags of the first node of a cluster.
  private func cluster(_ folder: TemporaryFolder) throws -> [String] {
    let secret = folder.file("secret")
    try Data(ClusterSecret.make().utf8).write(to: URL(filePath: secret))
    chmod(secret, 0o600)
    return [
      "--cluster-bootstrap", "--cluster-address", "127.0.0.1:\(try FreePort.find())",
      "--cluster-http", "127.0.0.1:\(try FreePort.find())", "--cluster-secret-file", secret,
    ]
  }

  /// Parses the metrics with Prometheus's Python library; returns `name labels value` of each
  /// sample.
  private func parsed(_ text: String, in folder: TemporaryFolder) throws -> Set<String> {
    let file = folder.file("metrics")
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let script = """
      import sys
      from prometheus_client.parser import text_string_to_metric_families as parse
      for family in parse(open(sys.argv[1]).read()):
          assert family.type in ("counter", "gauge", "histogram") and family.documentation, family
          for sample in family.samples:
              labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
              print(f"{sample.name} {labels} {sample.value:g}")
      """
    let result = try ChildProcess("/usr/bin/python3", ["-c", script, file], folder: folder).wait()
    #expect(result.code == 0, "\(result.errors)")
    return Set(result.output.split(separator: "\n").map(String.init))
  }

  @Test(
    "Prometheus can parse the metrics of requests, commits and live queries")
  func prometheus() throws {
    let folder = try TemporaryFolder()
    let server = try MartletProcess(in: folder)
    let streams = StreamClient(port: server.port)
    try streams.open("/v1/stats")
    #expect(streams.wait { $0[0].events.count == 1 })
    let client = try RawClient(port: server.port)
    for _ in 0..<3 { _ = try client.post("/v1/lists", #"{"title":"x"}"#) }
    _ = try client.post("/v1/reminders", #"{"listID":1,"title":"x"}"#)
    #expect(streams.wait { $0[0].events.count == 2 })
    for id in [1, 1, 99] { _ = try client.get("/v1/reminders/\(id)") }
    _ = try client.get("/nowhere\"\\")
    let samples = try parsed(try client.get("/metrics").text, in: folder)
    for sample in [
      "martlet_requests_total method=GET,route=/v1/reminders/{id},status=200 2",
      "martlet_requests_total method=GET,route=/v1/reminders/{id},status=404 1",
      "martlet_requests_total method=POST,route=/v1/lists,status=201 3",
      "martlet_request_seconds_count method=GET,route=/v1/reminders/{id} 3",
      "martlet_request_seconds_bucket le=+Inf,method=GET,route=/v1/reminders/{id} 3",
      // The first start stores the zone that alarms were worked out with.
      "martlet_commits_total  5", "martlet_commit_writes_sum  5",
      "martlet_commit_writes_bucket le=1 5", "martlet_commit_seconds_count  5",
      "martlet_live_seconds_count  1", "martlet_live_queries  1", "martlet_streams  1",
      "martlet_queued_writes  0",
    ] {
      #expect(samples.contains(sample), "\(sample)")
    }
    #expect(samples.contains { $0.hasPrefix("martlet_wal_bytes ") })
    func value(_ name: String) throws -> Double {
      let sample = try #require(samples.first { $0.hasPrefix(name + " ") }, "\(name)")
      return try #require(Double(sample.split(separator: " ").last ?? ""))
    }
    #expect(
      samples.contains {
        $0.wholeMatch(
          of: #/martlet_build_info commit=,sqlite=3\.[\d.]+,swift=6\.\d,version=\d+\.\d+\.\d+ 1/#)
          != nil
      })
    #expect(
      abs(Double(try server.metric("process_start_time_seconds")) - Date().timeIntervalSince1970)
        < 120)
    #expect(try value("process_resident_memory_bytes") > 1_048_576)
    #expect(try value("process_virtual_memory_bytes") > value("process_resident_memory_bytes"))
    #expect(try (0.001...600).contains(value("process_cpu_seconds_total")))
    #expect(try (5.0...500).contains(value("process_open_fds")))
    #expect(try value("process_max_fds") > value("process_open_fds"))
    let size = try FileManager.default.attributesOfItem(atPath: server.database)[.size] as? Int
    #expect(try value("martlet_database_bytes") <= Double(size ?? 0) && size != nil)
  }

  @Test("Counters whose first event matters are there from the start")
  func zeros() throws {
    let metrics = Metrics()
    let none = metrics.text(gauges: [])
    #expect(none.contains("martlet_deliveries_total{kind=\"webhook\",result=\"dead\"} 0\n"))
    #expect(none.contains("martlet_rejections_total{reason=\"rate-limited\"} 0\n"))
    metrics.countDelivery(.webhook, .dead)
    metrics.reject(.rate)
    let one = metrics.text(gauges: [])
    #expect(one.contains("martlet_deliveries_total{kind=\"webhook\",result=\"dead\"} 1\n"))
    #expect(one.contains("martlet_rejections_total{reason=\"rate-limited\"} 1\n"))
    #expect(one.split(separator: "\n").count == none.split(separator: "\n").count)
  }

  @Test("A failed backup is counted, and its age begins with the server")
  func failedBackup() throws {
    let folder = try TemporaryFolder()
    let backups = folder.file("backups")
    let server = try MartletProcess(["--backup-dir", backups, "--backup-every", "1s"], in: folder)
    let client = try RawClient(port: server.port)
    // A file where the folder was.
    try FileManager.default.removeItem(atPath: backups)
    try Data().write(to: URL(filePath: backups))
    let deadline = ContinuousClock.now + .seconds(20)
    func failures() throws -> Int { Int(try server.metric("martlet_backup_failures_total")) }
    while try failures() == 0, ContinuousClock.now < deadline { usleep(10_000) }
    #expect(try failures() > 0)
    #expect(try client.get("/metrics").text.contains("\nmartlet_backup_age_seconds "))
    _ = try server.stop()
  }

  @Test("Each refusal is counted by its reason")
  func reasons() throws {
    let server = try MartletInProcess(["--max-streams", "0"]) {
      $0.http.headTimeout = .milliseconds(300)
      $0.http.headerSection = 256
    }
    func send(_ text: String) throws {
      let client = try RawClient(port: server.port)
      try client.send(text)
      _ = try client.receiveAll()
    }
    try send("GET / HTTP/1.1\r\n\r\n")
    try send("")
    try send(
      "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 300))\r\n\r\n")
    try send("GET /v1/lists HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
    for reason in ["bad-request", "idle", "headers-too-large", "too-many-streams"] {
      #expect(try server.metric("martlet_rejections_total{reason=\"\(reason)\"}") >= 1)
    }
  }
}

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
