import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// Adds the records of a transfer, in the transaction of a connection. Every record gets a new ID;
/// IDs that were used before are not assigned again.
public struct Importer {
  let db: Connection
  /// The new list IDs by the IDs in the transfer.
  private var lists: [Int: Int] = [:]
  /// The last reminder, with its ID in the transfer: the completions after it are its own.
  private var last: (given: Int?, id: Int, hasCompletions: Bool)?
  /// The new IDs of reminders that have one in the transfer: 16 bytes each. Parents may come after
  /// their subtasks.
  private var ids: [(given: Int, id: Int)] = []
  /// The new IDs of subtasks, with their parents and the lines of the file.
  var subtasks: [(id: Int, parent: Parent, line: Int?)] = []
  /// The reminders that name subtasks by their UIDs.
  var parents: [(id: Int, children: [String])] = []
  /// The new reminders of an update that name no parent.
  var orphans: [Int] = []
  /// The new IDs of completions that have one in the transfer.
  private var completions: [Int: Int] = [:]
  /// The new IDs of completions that name others, or reminders, with these.
  private var references: [(id: Int, cause: Int?, subtasks: [Int])] = []
  enum Parent {
    case id(Int)
    case uids([String])
  }
  /// The zone of a reminder that recurs at a time of day and has no zone.
  private let zone: ZoneInfo
  /// The initial list of a new database if it has not been changed. It is deleted when the transfer
  /// adds lists.
  private let firstList: Int?
  /// The numbers of lists, tags and reminders in the transfer. A tag counts where it is listed, or
  /// once if only reminders carry it, as in tables and calendars.
  public private(set) var counts = TransferCounts()
  private var listedTags: Set<[UInt8]> = []
  private var carriedTags: Set<[UInt8]> = []

  /// The time of the import. Alarms of before do not ring.
  private let now: Instant
  /// Whether a reminder whose UID is in the list is changed.
  private let updates: Bool
  private let defaults: DefaultAlarms?
  /// The series whose due date is left out: they begin with their next occurrence.
  private var leftOut: [Int] = []
  /// The single occurrences, which are taken into their series at the end.
  private var occurrences: [Series: [TransferOccurrence]] = [:]
  /// The new IDs of reminders whose UID was taken.
  private var renamed: [Series: Int] = [:]
  /// The largest ID of a reminder before the import.
  private let lastReminder: Int
  private struct Series: Hashable {
    let list: Int
    let uid: String
  }
  /// The changed reminders, and the UIDs of their parents.
  var changed: [(id: Int, said: TransferReminder)] = []

  /// Prepares an import in the connection's transaction.
  ///
  /// - Parameter updates: Whether a list that has the UID or the title of one in the transfer is
  ///   that list, and a reminder of it with the same UID is changed to what the transfer says, as
  ///   if a calendar program had written it. Otherwise everything is added.
  /// - Parameter defaults: The alarms of new open reminders that have a due date and no alarm.
  public init(
    zone: ZoneInfo = .utc, at now: Instant = Clock.system.now(), updates: Bool = false,
    defaults: DefaultAlarms? = nil, in db: Connection
  ) throws {
    self.db = db
    self.defaults = defaults
    self.updates = updates
    self.now = now
    self.zone = zone
    let known = try RemindersList.all.limit(2).fetchAll(db)
    lastReminder = (try Reminder.all.select { $0.id.max() }.fetchOne(db) ?? nil) ?? 0
    let isEmpty = lastReminder == 0
    if isEmpty, known.count == 1, let only = known.first,
      only.title == RemindersList.defaultTitle, only.updatedAt == only.createdAt
    {
      firstList = only.id
    } else {
      firstList = nil
    }
  }

  /// Adds all records and returns their numbers.
  public static func add(
    _ records: [TransferRecord], zone: ZoneInfo = .utc, at now: Instant = Clock.system.now(),
    updates: Bool = false, defaults: DefaultAlarms? = nil, in db: Connection
  ) throws -> TransferCounts {
    var importer = try Importer(
      zone: zone, at: now, updates: updates, defaults: defaults, in: db)
    for record in records { try importer.add(record) }
    try importer.finish()
    return importer.counts
  }

  /// Adds a record. Throws ``TransferError`` for a list ID that occurs twice and for a reminder
  /// whose list has not been added.
  public mutating func add(_ record: TransferRecord) throws {
    switch record {
    case .list(let list): try add(list)
    case .tag(let title):
      try Tag.insert { Tag.Columns(title: title) }.onConflictDoNothing().execute(db)
    case .reminder(let reminder): try add(reminder)
    case .completion(let completion): try add(completion)
    case .occurrence(let occurrence):
      guard let list = occurrence.reminder.values.listID, let id = lists[list] else {
        throw TransferError.unknownList(occurrence.reminder.values.listID)
      }
      occurrences[Series(list: id, uid: occurrence.uid), default: []].append(occurrence)
    case .smartList(let list): try add(list)
    }
    count(record)
  }

  private mutating func count(_ record: TransferRecord) {
    switch record {
    case .list: counts.lists += 1
    case .tag(let title):
      let tag = Importer.folded(title)
      listedTags.insert(tag)
      if !carriedTags.contains(tag) { counts.tags += 1 }
    case .reminder(let reminder):
      counts.reminders += 1
      for tag in (reminder.values.tags ?? []).map(Importer.folded)
      where !listedTags.contains(tag) && carriedTags.insert(tag).inserted {
        counts.tags += 1
      }
    case .completion: counts.completions += 1
    // It counts as what becomes of it: a reminder or a completion.
    case .occurrence: break
    case .smartList: counts.smartLists += 1
    }
  }

  /// The tag with ASCII letters in lowercase, as `COLLATE NOCASE` compares it.
  private static func folded(_ tag: String) -> [UInt8] {
    tag.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
  }

  private mutating func add(_ list: TransferList) throws {
    guard lists[list.id] == nil else { throw TransferError.listTwice(list.id) }
    if updates, let known = try known(list) {
      lists[list.id] = known
      return
    }
    var values = ListRepository.Values()
    values.title = list.title
    values.color = list.color
    // A list that is imported twice gets a UID of its own.
    if let uid = list.uid, try ListRepository.withUID(uid).fetchOne(db) == nil {
      values.uid = uid
    }
    let id = try ListRepository.create(values, in: db)
    lists[list.id] = id
    // The insert trigger has set the times to now.
    try RemindersList.find(id).update {
      if let created = list.createdAt { $0.createdAt = created }
      if let updated = list.updatedAt { $0.updatedAt = updated }
    }.execute(db)
  }

  /// The list of the database that is the one of the transfer.
  private func known(_ list: TransferList) throws -> Int? {
    if let uid = list.uid, let id = try ListRepository.withUID(uid).fetchOne(db) { return id }
    return try RemindersList.where { $0.title == list.title }.order { ($0.position, $0.id) }
      .limit(1).select(\.id).fetchOne(db)
  }

  private func add(_ list: TransferSmartList) throws {
    var values = list.values
    if let uid = values.uid, try SmartListRepository.withUID(uid).fetchOne(db) != nil {
      values.uid = nil
    }
    if let filter = values.filter {
      values.filter = JSONObject(
        members: filter.members.map { JSONObject.Member(name: $0.name, value: renumbered($0)) })
    }
    let id = try SmartListRepository.create(values, in: db)
    try SmartList.find(id).update {
      if let created = list.createdAt { $0.createdAt = created }
      if let updated = list.updatedAt { $0.updatedAt = updated }
    }.execute(db)
  }

  /// The value of a filter with the new IDs. What is not in the transfer gets an ID that nothing
  /// has, so that it matches nothing here either.
  private func renumbered(_ member: JSONObject.Member) -> JSONValue {
    switch (member.name, member.value) {
    case ("listID", .integer(let id)):
      .integer(Int64(lists[Int(id)] ?? ValueRule.largest))
    case ("listID", .array(let values)):
      .array(values.map { renumbered(JSONObject.Member(name: member.name, value: $0)) })
    case ("parentID", .integer(let id)):
      .integer(Int64(ids.first { $0.given == Int(id) }?.id ?? ValueRule.largest))
    default: member.value
    }
  }

  mutating func note(_ uid: String?, _ title: String?, _ detail: String) {
    guard counts.notes.count < TransferNote.most else { return }
    counts.notes.append(TransferNote(uid: uid, title: title ?? "", detail: detail))
  }

  private mutating func add(_ reminder: TransferReminder) throws {
    var values = reminder.values
    for detail in reminder.unread { note(values.uid, values.title, detail) }
    guard let list = values.listID, let id = lists[list] else {
      throw TransferError.unknownList(values.listID)
    }
    values.listID = id
    if let uid = values.uid, let known = try ReminderRepository.withUID(uid, in: id).fetchOne(db) {
      if updates { return try change(known, reminder) }
      values.uid = nil
    }
    let isRenamed = values.uid == nil
    // Parents are set at the end.
    let parent = values.parentID ?? nil
    values.parentID = nil
    let new = try ReminderRepository.create(values, zone: zone, isImport: true, in: db)
    if let id = reminder.id { ids.append((id, new)) }
    if isRenamed, let uid = reminder.values.uid { renamed[Series(list: id, uid: uid)] = new }
    if let parent {
      subtasks.append((new, .id(parent), reminder.line))
    } else if let uid = reminder.parentUID {
      subtasks.append((new, .uids([uid] + reminder.otherParentUIDs), nil))
    } else if updates {
      orphans.append(new)
    }
    if !reminder.childUIDs.isEmpty { parents.append((new, reminder.childUIDs)) }
    last = (reminder.id, new, false)
    var alarms = reminder.alarms
    if alarms.isEmpty, values.status != .completed,
      let usual = defaults?.trigger(of: values.dueDate ?? nil)
    {
      alarms = [TransferAlarm(usual)]
    }
    if !alarms.isEmpty {
      try AlarmRepository.add(alarms, to: new, at: now, in: zone, db)
    }
    try Reminder.find(new).update {
      if let created = reminder.createdAt { $0.createdAt = created }
      if let updated = reminder.updatedAt { $0.updatedAt = updated }
      // Files of before 0.2.0 do not have it.
      if values.status == .completed, let time = reminder.completedAt ?? reminder.updatedAt {
        $0.completedAt = time
      }
    }.execute(db)
    if let due = values.dueDate ?? nil,
      (values.recurrence ?? nil)?.excluded?.contains(due) == true
    {
      leftOut.append(new)
    }
    if let calendar = reminder.calendar {
      try CalendarObject.insert { CalendarObject(reminderID: new, lines: calendar) }.execute(db)
    }
  }

  private mutating func change(_ id: Int, _ reminder: TransferReminder) throws {
    if !reminder.childUIDs.isEmpty { parents.append((id, reminder.childUIDs)) }
    var reminder = reminder
    reminder.splitDefaultAlarm()
    reminder.setDefaultAlarm(over: try CalendarRepository.stored(id, in: db)?.reminder, nil)
    try CalendarRepository.update(id, reminder, at: now, in: zone, db)
    try CalendarRepository.keep(reminder.storedLines, of: id, in: db)
    var named = TransferReminder(ReminderRepository.Values())
    (named.parentUID, named.otherParentUIDs) = (reminder.parentUID, reminder.otherParentUIDs)
    changed.append((id, named))
    last = (reminder.id, id, true)
  }

  private mutating func add(_ completion: TransferCompletion) throws {
    guard let last, last.given == completion.reminderID else {
      throw TransferError.unknownReminder(completion.reminderID)
    }
    let id = last.id
    // The insert of a completed reminder has recorded a completion of its own.
    if !last.hasCompletions {
      try Completion.where { $0.reminderID == id }.delete().execute(db)
      self.last?.hasCompletions = true
    }
    try Completion.insert {
      Completion.Draft(
        reminderID: id, title: completion.title, dueDate: completion.dueDate,
        startDate: completion.startDate, recurrenceRule: completion.rule?.description,
        recurrenceStart: completion.start, completedAt: completion.completedAt,
        kind: completion.kind)
    }.execute(db)
    let new = Int(db.lastInsertRowID)
    if let given = completion.id { completions[given] = new }
    if completion.causeID != nil || !completion.subtasks.isEmpty {
      references.append((new, completion.causeID, completion.subtasks))
    }
  }

  /// Sets what completions refer to. What is not in the transfer is left out.
  private func setReferences(_ reminders: [Int: Int]) throws {
    for (id, cause, subtasks) in references {
      let ids = subtasks.compactMap { reminders[$0] }.map(String.init).joined(separator: ",")
      try Completion.find(id).update {
        $0.causeID = cause.flatMap { completions[$0] }
        if !subtasks.isEmpty { $0.subtasks = "[\(ids)]" }
      }.execute(db)
    }
  }

  /// The new IDs of the reminders that others name.
  private func named() throws -> [Int: Int] {
    var parents: Set<Int> = []
    for subtask in subtasks { if case .id(let id) = subtask.parent { parents.insert(id) } }
    let all = parents.union(references.flatMap(\.subtasks))
    guard !all.isEmpty else { return [:] }
    var found: [Int: Int] = [:]
    for (given, id) in ids where all.contains(given) {
      guard found.updateValue(id, forKey: given) == nil || !parents.contains(given) else {
        throw TransferError.reminderTwice(given)
      }
    }
    return found
  }

  /// Moves the series whose due date is left out on to their next occurrence.
  private func moveOn() throws {
    for id in leftOut {
      guard let list = try Reminder.find(id).select(\.remindersListID).fetchOne(db) else {
        continue
      }
      let place = CalendarRepository.Placement(list: list, name: "", at: now, in: zone)
      try CalendarRepository.take([], into: id, place, in: db)
    }
  }

  /// Takes the single occurrences into their series. Without one in the transfer, they are
  /// reminders of their own.
  private mutating func takeOccurrences() throws {
    for (series, parts) in occurrences.sorted(by: {
      ($0.key.list, $0.key.uid) < ($1.key.list, $1.key.uid)
    }) {
      let stored = try ReminderRepository.withUID(series.uid, in: series.list).fetchOne(db)
      let id = renamed[series] ?? stored.flatMap { updates || $0 > lastReminder ? $0 : nil }
      guard let id else {
        for part in parts { try add(.reminder(part.own)) }
        continue
      }
      let place = CalendarRepository.Placement(list: series.list, name: "", at: now, in: zone)
      let unread = try CalendarRepository.take(try parts.map(free), into: id, place, in: db)
      let title = try Reminder.find(id).select(\.title).fetchOne(db)
      for detail in parts.flatMap(\.own.unread) + unread { note(series.uid, title, detail) }
      let said = parts.filter { !$0.isCancelled }
      let done = said.count { $0.reminder.values.status == .completed }
      counts.completions += done
      counts.reminders += said.count - done
    }
  }

  /// The occurrence with a UID that is not in the list, unless what is there is to be changed.
  private func free(_ occurrence: TransferOccurrence) throws -> TransferOccurrence {
    var occurrence = occurrence
    guard !updates, let list = occurrence.reminder.values.listID.flatMap({ lists[$0] }),
      let uid = occurrence.own.values.uid,
      try ReminderRepository.withUID(uid, in: list).fetchOne(db) != nil
    else { return occurrence }
    occurrence.own.values.uid = nil
    return occurrence
  }

  /// Completes the import. Call it after the last record.
  public mutating func finish() throws {
    try moveOn()
    try takeOccurrences()
    let found = try named()
    try setParents(found)
    try setParentsOfChanged()
    try adopt()
    try setReferences(found)
    if let firstList, counts.lists > 0, !lists.values.contains(firstList) {
      try ListRepository.delete(firstList, in: db)
    }
  }
}
