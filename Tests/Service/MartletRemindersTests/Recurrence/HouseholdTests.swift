import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletReminders

/// A year of a household: 80 recurring reminders in three zones are completed, skipped and reopened
/// at random, by the service and by a shell, across clock changes and two weeks without a service.
/// Each due date is what `Checks/recurrence-oracle` computes with dateutil.
@Suite("A year of a household") struct HouseholdTests {
  private let seed =
    ProcessInfo.processInfo.environment["MARTLET_SEED"].flatMap { UInt64($0) }
    ?? .random(in: 0 ... .max)
  private let file: RemindersFile
  private let db: Connection
  private let shell: Connection

  init() throws {
    file = try RemindersFile()
    db = try file.connect(as: .service)
    shell = try file.connect(as: .shell)
  }

  private static let zones = ["Europe/Vienna", "America/New_York", "Pacific/Auckland"]
  private static let rules = [
    "FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,TH",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=3TH",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
    "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1", "FREQ=YEARLY", "FREQ=WEEKLY;COUNT=9",
    "FREQ=DAILY;INTERVAL=10;UNTIL=20270901", "FREQ=MONTHLY;BYMONTH=3,10,11;BYDAY=SU",
  ]

  private struct Chore {
    let id: Int
    let rule: String
    let start: DueDate
    let zone: ZoneInfo
    let basis: Recurrence.Basis
  }

  /// What became of a due date. `to` is `nil` if the series is over.
  private struct Step {
    let chore: Chore
    let from: DueDate
    let now: Instant
    let isSkip: Bool
    let to: DueDate?
  }

  @Test func year() throws {
    var random = SeededRandom(seed: seed)
    let chores = try (0..<Effort.rounds(20)).map { _ in try chore(&random) }
    let year = try RFC3339.parse("2027-01-01T00:00:17Z")
    var steps: [Step] = []
    var waiting: [(chore: Chore, from: DueDate, now: Instant)] = []
    var hours = 0
    while hours < 365 * 24 {
      hours += Int.random(in: 1...9, using: &random)
      let now = year.adding(seconds: Int64(hours) * 3_600)
      // The clocks of Europe and New Zealand change in these two weeks.
      let isDown = (80 * 24..<94 * 24).contains(hours)
      if !isDown, !waiting.isEmpty {
        // The service hears of what a shell has completed.
        for id in waiting.map(\.chore.id) { try CompletionRepository.moveOn(id, in: .utc, db) }
        for (chore, from, now) in waiting {
          steps.append(try step(chore, from, now))
        }
        waiting = []
      }
      for chore in chores where random.once(in: 12) {
        let reminder = try reminder(chore)
        guard reminder.status == .incomplete, let due = reminder.dueDate else { continue }
        // Mostly what is due, and sometimes up to two months in advance.
        let start = due.start(in: chore.zone)
        let isNear = start <= now.adding(seconds: 60 * 86_400) && random.once(in: 20)
        guard start <= now || isNear else { continue }
        switch isDown ? 0 : Int.random(in: 0...5, using: &random) {
        case 0:
          try shell.run(
            "UPDATE reminders SET status = 1, completedAt = ? WHERE id = ?",
            .text(SQLiteTime.string(now)), .integer(Int64(chore.id)))
          waiting.append((chore, due, now))
        case 1:
          do {
            try CompletionRepository.skip(chore.id, among: .all, at: now, in: .utc, db)
            steps.append(try step(chore, due, now, isSkip: true))
          } catch DomainError.notRecurring {
            steps.append(Step(chore: chore, from: due, now: now, isSkip: true, to: nil))
          }
        case 2:
          try Reminder.find(chore.id).update { $0.status = .completing }.execute(db)
          try CompletionRepository.complete(self.reminder(chore), at: now, in: .utc, db)
          steps.append(try step(chore, due, now))
        default:
          var changes = ReminderRepository.Values()
          changes.status = .completed
          try ReminderRepository.update(chore.id, changes, at: now, in: db)
          steps.append(try step(chore, due, now))
          guard random.once(in: 10) else { continue }
          try CompletionRepository.reopen(chore.id, among: .all, in: db)
          let reopened = try self.reminder(chore)
          #expect(reopened.dueDate == due && reopened.status == .incomplete, "seed \(seed)")
          #expect(reopened.recurrenceRule == reminder.recurrenceRule, "seed \(seed)")
          #expect(reopened.recurrenceStart == reminder.recurrenceStart, "seed \(seed)")
        }
      }
    }
    try check(steps)
    for basis in Recurrence.Basis.allCases {
      #expect(
        steps.count { $0.chore.basis == basis && $0.to != nil } > Effort.rounds(12), "seed \(seed)")
    }
  }

  private func chore(_ random: inout SeededRandom) throws -> Chore {
    let zone = try ZoneDatabase.system.zone(named: random.pick(Self.zones))
    let day = CivilDate(utc: .epoch).adding(days: 20_800 + Int.random(in: 0...40, using: &random))
    // 2:30 is skipped by the clocks in spring, and shown twice in autumn.
    let time = CivilTime(date: day, hour: random.pick([2, 9, 23]), minute: 30, second: 0)!
    let start: DueDate = random.once(in: 2) ? .day(day) : .instant(zone.instant(of: time))
    var changes = ReminderRepository.Values()
    changes.listID = 1
    changes.dueDate = start
    changes.timeZone = zone.identifier
    let rule = random.pick(Self.rules)
    var recurrence = Recurrence.Values()
    recurrence.rule = try RecurrenceRule(rule)
    // COUNT of a series that starts anew is tested elsewhere.
    recurrence.basis = rule.contains("COUNT") ? .due : random.pick(Recurrence.Basis.allCases)
    changes.recurrence = recurrence
    let id = try ReminderRepository.create(changes, in: db)
    return Chore(id: id, rule: rule, start: start, zone: zone, basis: recurrence.basis ?? .due)
  }

  private func reminder(_ chore: Chore) throws -> Reminder {
    try #require(try Reminder.find(chore.id).fetchOne(db))
  }

  private func step(
    _ chore: Chore, _ from: DueDate, _ now: Instant, isSkip: Bool = false
  ) throws -> Step {
    let reminder = try reminder(chore)
    let to = reminder.status == .incomplete ? reminder.dueDate : nil
    return Step(chore: chore, from: from, now: now, isSkip: isSkip, to: to)
  }

  // MARK: Oracle

  private func check(_ steps: [Step]) throws {
    let expected = try occurrences(of: steps)
    var wrong = 0
    for (step, dates) in zip(steps, expected) where wrong < 10 {
      let chore = step.chore
      let now = chore.start.isTimed ? "\(step.now.seconds)" : "\(day(step.now, chore.zone))"
      let bound =
        switch chore.basis {
        case .each: text(step.from)
        // Its series starts with the completion, or it is skipped like one of a series.
        case .completion where !step.isSkip: dates.first ?? ""
        case .due, .completion: max(text(step.from), now)
        }
      let next = dates.first { $0 > bound }
      guard step.to.map(text) != next else { continue }
      wrong += 1
      Issue.record(
        "seed \(seed): \(chore), \(step.from) at \(step.now): \(step.to?.stored ?? "over"), not \(next ?? "over")"
      )
    }
  }

  /// What dateutil gives for the series of each step.
  private func occurrences(of steps: [Step]) throws -> [[String]] {
    var places: [Data: Int] = [:]
    var lines: [Data] = []
    let numbers = try steps.map { step in
      let chore = step.chore
      var day = chore.start.day(in: chore.zone)
      if chore.basis == .completion {
        // The series has moved to the occurrence that is skipped, or starts with the completion.
        day = step.isSkip ? step.from.day(in: chore.zone) : self.day(step.now, chore.zone)
      }
      let line = try JSONSerialization.data(
        withJSONObject: [
          "rule": chore.rule, "start": local(chore, day), "zone": chore.zone.identifier,
          "excluded": [String](), "before": "2100-01-01", "limit": 1_200,
        ] as [String: Any], options: .sortedKeys)
      if let place = places[line] { return place }
      lines.append(line)
      places[line] = lines.count - 1
      return lines.count - 1
    }
    let input = file.folder.file("series")
    try Data(lines.joined(separator: [UInt8(ascii: "\n")])).write(to: URL(filePath: input))
    let result = try ChildProcess(
      "/usr/bin/python3", [Repository.root + "/Checks/recurrence-oracle", input],
      folder: file.folder
    ).wait(within: Deadline.hang)
    try #require(result.code == 0, "\(result.errors)")
    let dates = result.output.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.split(separator: " ").map(String.init) }
    return numbers.map { dates[$0] }
  }

  private func day(_ instant: Instant, _ zone: ZoneInfo) -> CivilDate {
    zone.time(at: instant).date
  }

  private func text(_ date: DueDate) -> String {
    switch date {
    case .day(let day): day.description
    case .instant(let instant): "\(instant.seconds)"
    }
  }

  /// The time of day at which the series began, on a day.
  private func local(_ chore: Chore, _ day: CivilDate) -> String {
    guard case .instant(let instant) = chore.start else { return day.description }
    return String(chore.zone.time(at: instant).on(day).instant().description.prefix(19))
  }
}
