import Foundation
import TestSupport
import Testing

/// Compares a server that shares cached responses with one that has no cache.
@Suite("Shared results") struct SharedResultsTests {
  @Test("Responses to two keys of each kind equal those of a server without a cache")
  func compared() throws {
    let service = try KeyedService(["--max-key-failures", "0", "--loops", "1"])
    var keys = try ["read", "write", "admin"].flatMap { scope in
      [service.keys[scope] ?? "", try service.create(["--name", "second", "--scope", scope])]
    }
    for scope in ["read", "write"] {
      keys.append(service.keys[scope + "Own"] ?? "")
      keys.append(
        try service.create(["--name", "like it", "--scope", scope, "--list", "3", "--list", "2"]))
      keys.append(try service.create(["--name", "other", "--scope", scope, "--list", "4"]))
    }
    let targets = GuardedOperation.reads
      .filter { !["/v1/live", "/metrics"].contains($0.template) }
      .flatMap { $0.own + $0.foreign }.map(\.target)
    #expect(targets.contains("/v1/whoami") && targets.count > 20)
    let plain = try MartletProcess(
      ["--response-cache", "0", "--loops", "1"], in: service.server.folder)
    let cached = try RawClient(port: service.server.port)
    let other = try RawClient(port: plain.port)
    func hits() throws -> Int {
      let text = try cached.get("/metrics", service.key("admin")).text
      let line = text.split(separator: "\n").first { $0.hasPrefix("martlet_cache_hits_total ") }
      return try #require(line?.split(separator: " ").last.flatMap { Int($0) })
    }
    let before = try hits()
    for target in targets {
      for _ in 0..<3 {
        for key in keys {
          let fields = [("Authorization", "Bearer \(key)"), ("X-Request-ID", "same")]
          let answer = try cached.get(target, fields)
          let expected = try other.get(target, fields)
          #expect(answer.status == expected.status, "\(target)")
          if !target.hasPrefix("/v1/export") { #expect(answer.text == expected.text, "\(target)") }
          #expect(answer["ETag"] == expected["ETag"], "\(target)")
        }
      }
    }
    #expect(try hits() > before + targets.count)
  }
}
