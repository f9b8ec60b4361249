import Foundation
import MartletTime
import TestSupport
import Testing

/// Random rules have the occurrences that `Checks/recurrence-oracle` computes with dateutil.
///
/// `MARTLET_SEED` repeats a run, and `MARTLET_RULES` is the number of rules.
struct RecurrenceOracleTests {
  private static let most = 50
  private static let environment = ProcessInfo.processInfo.environment
  private let seed = environment["MARTLET_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
  private let count = environment["MARTLET_RULES"].flatMap { Int($0) } ?? 500

  @Test func randomRules() throws {
    let (zones, places) = try self.zones()
    var rules = RandomRules(random: SeededRandom(seed: seed), zones: zones)
    var (series, input) = ([RecurrenceSeries?](), [Data]())
    var cases: [RandomRules.Case] = []
    for _ in 0..<count {
      let each = rules.next()
      let one = try self.series(each, &rules.random)
      cases.append(each)
      series.append(one)
      input.append(try line(each, excluded: one?.excluded ?? []))
    }
    let folder = try TemporaryFolder()
    let file = folder.file("rules")
    try Data(input.joined(separator: [UInt8(ascii: "\n")])).write(to: URL(filePath: file))
    let result = try ChildProcess(
      "/usr/bin/python3", [Repository.root + "/Checks/recurrence-oracle", file],
      environment: ["PYTHONTZPATH": places], folder: folder
    ).wait(within: Deadline.hang + Double(count) / 20)
    try #require(result.code == 0, "seed \(seed): \(result.errors)")
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    try #require(lines.count == count + 1, "seed \(seed)")

    var (wrong, found) = (0, 0)
    for (number, each) in cases.enumerated() where wrong < 10 {
      let expected = lines[number].split(separator: " ").map(String.init)
      let own = occurrences(of: series[number], each)
      found += own.count
      if own.map(text) != expected {
        wrong += 1
        Issue.record(
          """
          seed \(seed): \(each.rule) from \(each.start) in \(each.zone)
          \(own.map(text))
          dateutil: \(expected)
          """)
      }
      checkSteps(series[number], own)
    }
    // Rules that hardly ever happen would prove little.
    if wrong == 0 { #expect(found > count * 10, "seed \(seed)") }
  }

  /// The series of a case without one or two of its occurrences; `nil` if its rule never happens.
  private func series(
    _ each: RandomRules.Case, _ random: inout SeededRandom
  ) throws -> RecurrenceSeries? {
    let rule: RecurrenceRule
    do throws(RecurrenceRule.Problem) {
      rule = try RecurrenceRule(each.rule)
    } catch {
      #expect(error.description == "the rule never happens", "seed \(seed): \(each.rule)")
      return nil
    }
    #expect(
      try RecurrenceRule(rule.description) == rule, "seed \(seed): \(rule) reads as another")
    let all = RecurrenceSeries(start: each.start, rule: rule, in: each.zone)
    guard random.once(in: 4) else { return all }
    let some = all.occurrences.prefix(10).filter { _ in random.once(in: 5) }
    return RecurrenceSeries(start: each.start, rule: rule, excluded: Set(some), in: each.zone)
  }

  private func occurrences(
    of series: RecurrenceSeries?, _ each: RandomRules.Case
  ) -> [Occurrence] {
    guard let series else { return [each.start] }
    return Array(
      series.occurrences.prefix(Self.most)
        .prefix { day(of: $0, in: each.zone) < each.end })
  }

  /// Each occurrence is found from the one before it, and from a moment between them.
  private func checkSteps(_ series: RecurrenceSeries?, _ own: [Occurrence]) {
    guard let series else { return }
    for (one, next) in zip(own, own.dropFirst()) {
      #expect(series.next(after: one) == next, "seed \(seed): \(series.rule) after \(one)")
      if case .instant(let instant) = next {
        let before = Occurrence.instant(instant.adding(milliseconds: -1))
        #expect(series.next(after: before) == next, "seed \(seed): \(series.rule) at \(next)")
      }
    }
  }

  private func line(_ each: RandomRules.Case, excluded: Set<Occurrence>) throws -> Data {
    var start = text(each.start)
    if case .instant(let instant) = each.start {
      // The local time, as the oracle converts times itself.
      start = String(
        CivilTime(each.zone.time(at: instant).instant()).instant().description.prefix(19))
    }
    return try JSONSerialization.data(
      withJSONObject: [
        "rule": each.rule, "start": start, "zone": each.zone.identifier,
        "excluded": excluded.map { occurrence -> Any in
          if case .instant(let instant) = occurrence { instant.seconds } else { text(occurrence) }
        },
        "before": each.end.description, "limit": Self.most,
      ] as [String: Any])
  }

  private func day(of occurrence: Occurrence, in zone: ZoneInfo) -> CivilDate {
    switch occurrence {
    case .day(let date): date
    case .instant(let instant): zone.time(at: instant).date
    }
  }

  private func text(_ occurrence: Occurrence) -> String {
    switch occurrence {
    case .day(let date): date.description
    case .instant(let instant): "\(instant.seconds)"
    }
  }

  /// The zones of the test files, and their folder.
  private func zones() throws -> ([ZoneInfo], String) {
    let folder = Cases.directory.appending(path: "zoneinfo").path
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    let database = ZoneDatabase(directory: folder)
    let files = names.filter { name in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder)
      return !isFolder.boolValue
    }
    return (try files.map { try database.zone(named: $0) }, folder)
  }
}
