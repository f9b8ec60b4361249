import MartletLiveAPI
import MartletReminders
import MartletTime

extension TransferFormat {
  /// Reads the lines of a file and passes each record to `body`.
  ///
  /// Memory use is constant except for the IDs of the lists. No database is used, so a file can be
  /// checked before a transaction begins.
  ///
  /// Throws an ``APIProblem`` with the number of the line if the file is invalid or has more than
  /// `most` records.
  package func read(
    _ lines: inout some TransferLines, depthLimit: Int = 64, most: Int = .max,
    house: ZoneInfo = .utc, _ body: (TransferRecord) throws -> Void = { _ in }
  ) throws {
    var reader = reader(depthLimit: depthLimit, house: house)
    var lists: Set<Int> = []
    var reminder: Int?
    var left = most
    do {
      while try lines.next({ line in
        for record in try reader.read(line) {
          guard left > 0 else { throw APIProblem.tooManyRecords(most) }
          left -= 1
          try TransferFormat.check(record, &lists, &reminder)
          try body(record)
        }
      }) {}
      try reader.finish()
    } catch {
      throw (error as? APIProblem)?.onLine(reader.line) ?? error
    }
  }

  /// The records of a file. Throws if there are more than `most`.
  package func records(
    _ lines: inout some TransferLines, depthLimit: Int = 64, most: Int, house: ZoneInfo = .utc
  ) throws -> [TransferRecord] {
    var records: [TransferRecord] = []
    try read(&lines, depthLimit: depthLimit, most: most, house: house) { records.append($0) }
    return records
  }

  /// Throws if a record contradicts the records before it or the rules of the service.
  ///
  /// - Parameters:
  ///   - lists: The IDs of the lists so far.
  ///   - last: The ID of the last reminder.
  private static func check(
    _ record: TransferRecord, _ lists: inout Set<Int>, _ last: inout Int?
  ) throws(APIProblem) {
    switch record {
    case .list(let list):
      guard lists.insert(list.id).inserted else {
        throw APIProblem(.invalidBody, "The list \(list.id) appears twice.")
      }
    case .tag, .smartList, .occurrence: break
    case .reminder(let reminder):
      guard let list = reminder.values.listID, lists.contains(list) else {
        let name = reminder.values.listID.map(String.init) ?? "of the reminder"
        throw APIProblem(.invalidBody, "The list \(name) must come before this line.")
      }
      last = reminder.id
      try ReminderBody.checkTags(reminder.values)
      do {
        try ReminderRepository.check(reminder.values)
      } catch {
        throw RemindersAPI.problem(of: error) ?? APIProblem(.invalidBody, "\(error)")
      }
    case .completion(let completion):
      guard last == completion.reminderID else {
        throw APIProblem(
          .invalidBody, "The reminder \(completion.reminderID) must come before its completions.")
      }
    }
  }
}

extension APIProblem {
  fileprivate static func tooManyRecords(_ most: Int) -> APIProblem {
    APIProblem(
      .invalidBody,
      """
      The file has more than \(most) lists, tags, reminders, completions and smart lists, the limit for one upload. Split it \
      into several files, or use the command martlet import, which has no such limit.
      """)
  }

  /// The problem with the number of the line in its detail.
  func onLine(_ number: Int?) -> APIProblem {
    guard let number, number > 0 else { return self }
    var problem = self
    problem.detail = "Line \(number): \(detail)"
    return problem
  }
}
