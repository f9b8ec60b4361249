import MartletQueryBuilder
import MartletSQLite
import MartletTime

/// Sample data: a small demo, or a large set that is reproducible by its seed.
public enum Seed {
  /// Adds three lists with the reminders of a family. Returns the number of reminders.
  public static func demo(in db: Connection, now: Instant) throws -> Int {
    func day(_ offset: Int) -> DueDate { .day(CivilDate(utc: now).adding(days: offset)) }
    func at(_ hours: Int) -> DueDate { .instant(now.adding(seconds: Int64(hours * 3600))) }
    let lists: [(title: String, color: Int, reminders: [Example])] = [
      (
        "Personal", 0x4a99_efff,
        [
          Example("Buy milk", "Two litres, the blue one", due: day(0), tags: ["shopping"]),
          Example("Call the dentist", "Ask about Thursday", due: at(3), priority: .high),
          Example("Renew the passport", due: day(12), isFlagged: true, tags: ["papers"]),
          Example("Return the library books", due: day(-2), tags: ["errand"]),
        ]
      ),
      (
        "Family", 0xef7e_4aff,
        [
          Example("Birthday cake for Ada", "Chocolate, no nuts", due: day(5), isFlagged: true),
          Example("Book the summer house", priority: .medium, tags: ["holiday"]),
          Example("Winter tyres", "The car is due anyway", due: day(20), tags: ["car", "errand"]),
        ]
      ),
      (
        "Work", 0x7ee0_4aff,
        [
          Example("Send the invoice", due: day(-1), priority: .high, tags: ["papers"]),
          Example("Prepare the talk", "Ten slides at most", due: day(8)),
          Example("Water the plants", status: .completed),
        ]
      ),
    ]
    var count = 0
    for list in lists {
      var values = ListRepository.Values()
      values.title = list.title
      values.color = list.color
      let id = try ListRepository.create(values, in: db)
      for example in list.reminders {
        _ = try ReminderRepository.create(example.values(in: id), in: db)
        count += 1
      }
    }
    return count
  }

  private struct Example {
    var values = ReminderRepository.Values()

    init(
      _ title: String, _ notes: String = "", due: DueDate? = nil,
      priority: Reminder.Priority? = nil, isFlagged: Bool = false,
      status: Reminder.Status = .incomplete, tags: [String] = []
    ) {
      values.title = title
      values.notes = notes
      values.dueDate = due
      values.priority = priority
      values.isFlagged = isFlagged
      values.status = status
      values.tags = tags
    }

    func values(in list: Int) -> ReminderRepository.Values {
      var values = values
      values.listID = list
      return values
    }
  }

  /// A large set of reminders, spread evenly over its lists. The same `seed` gives the same data.
  public struct Large: Sendable {
    /// The number of lists.
    public var lists: Int
    /// The number of reminders in all lists together.
    public var reminders: Int
    /// The seed of the random generator.
    public var seed: UInt64

    /// A set of `reminders` reminders in `lists` lists.
    public init(lists: Int, reminders: Int, seed: UInt64) {
      self.lists = lists
      self.reminders = reminders
      self.seed = seed
    }

    /// Writes a range of the reminders into the lists `ids`. Use several small ranges, each in its
    /// own transaction, so that other writers do not wait for the whole set.
    public func write(_ range: Range<Int>, lists ids: [Int], in db: Connection) throws {
      for index in range {
        var words = Words(seed: seed &+ UInt64(index) &* 0x9e37_79b9_7f4a_7c15)
        var values = ReminderRepository.Values()
        values.listID = ids[index % ids.count]
        values.title = words.title()
        values.notes = words.chance(3) ? words.sentence() : ""
        if words.chance(2) {
          let date = CivilDate(year: 2026, month: 1, day: 1)?.adding(days: words.below(730))
          values.dueDate = date.map { .day($0) }
        }
        values.priority = words.chance(4) ? Reminder.Priority(rawValue: 1 + words.below(3)) : nil
        values.isFlagged = words.chance(10)
        values.status = words.chance(3) ? .completed : .incomplete
        values.tags = words.chance(3) ? [words.tag()] : []
        _ = try ReminderRepository.create(values, in: db)
      }
    }

    /// Creates the lists and returns their IDs.
    public func writeLists(in db: Connection) throws -> [Int] {
      try (0..<lists).map { index in
        var values = ListRepository.Values()
        values.title = "List \(index + 1)"
        return try ListRepository.create(values, in: db)
      }
    }
  }
}
