import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletQuickAdd
import MartletReminders
import MartletSQLite
import MartletStore
import MartletTime

/// The route `/v1/quick-add`: a line of text becomes a reminder.
enum QuickAddRoute {
  /// With `preview=true` nothing is written, and the answer has the body of the
  /// `POST /v1/reminders` that would create the reminder.
  static func add(_ settings: RemindersAPISettings) -> Route {
    .write(.post, "/v1/quick-add", parts: .respected) { request, context in
      let body = try QuickAddBody(request)
      var parameters = QueryParameters(request)
      let isPreview = parameters.bool("preview") ?? false
      try parameters.finish()
      let lists = request.lists
      let clock = context.clock
      return WriteRoute.Work { db in
        let now = clock.now()
        // Only a # names a list, or a tag that has to exist.
        let namesList = body.text.utf8.contains(UInt8(ascii: "#"))
        let known =
          namesList
          ? try ListRepository.titles(among: lists, in: db).map {
            QuickAddList(id: $0.id, title: $0.title)
          } : []
        let tags = try TagRepository.titles(of: names(in: body.text), among: lists, in: db)
        let read = body.read(at: now, in: settings.zone, known, tags)
        let values = try body.values(read, in: list(body.listID, among: lists, db))
          .withDefaultAlarms(fixed: settings.fixedAlarms, in: db)
        if isPreview {
          let preview = ByteBuffer(capacity: 512)
          write(read, into: preview) { values.write(into: $0) }
          return .results(preview.share())
        }
        let id = try ReminderRepository.create(
          values, among: lists, at: now, zone: settings.zone, in: db)
        return .once(location: "/v1/reminders/\(id)") { db, body in
          try write(read, into: body) {
            _ = try db.writeJSONObject(ReminderRepository.item(id, among: lists), into: $0)
          }
          return true
        }
      }
    }
  }

  /// The names that tags behind a `#` may have: its next words, with and without a comma.
  private static func names(in text: String) -> [String] {
    text.split(separator: "#", omittingEmptySubsequences: false).dropFirst().prefix(20)
      .flatMap { part in
        let words = part.split(separator: " ", maxSplits: 5).prefix(5)
        return words.indices.flatMap { last -> [String] in
          let name = words[...last].joined(separator: " ")
          let bare = name.reversed().drop { !$0.isLetter && !$0.isNumber }.reversed()
          return name.count == bare.count ? [name] : [name, String(bare)]
        }
      }
  }

  /// The list of a text that names none: the given one, or the first that the caller sees.
  private static func list(
    _ given: Int?, among lists: ListExtent, _ db: Connection
  ) throws -> Int {
    if let given {
      guard try lists.contains(given) && RemindersList.exists(given, in: db) else {
        throw RuleViolation.unknownList
      }
      return given
    }
    guard let first = try ListRepository.first(among: lists, in: db) else {
      throw RuleViolation.unknownList
    }
    return first
  }

  private static func write<Failure: Error>(
    _ read: QuickAdd, into body: ByteBuffer,
    reminder: (ByteBuffer) throws(Failure) -> Void
  ) throws(Failure) {
    body.append("{\"reminder\":")
    try reminder(body)
    body.append(",\"language\":")
    JSONWriter.string(read.language, into: body)
    body.append(",\"spans\":")
    JSONWriter.array(into: body) { array in
      for span in read.spans {
        array.element { buffer in
          JSONWriter.object(into: buffer) { object in
            object.member("start", span.start)
            object.member("end", span.end)
            object.member("kind", span.kind.rawValue)
            object.member("text", span.text)
          }
        }
      }
    }
    body.append("}")
  }
}

extension ReminderRepository.Values {
  /// Writes the body of a request that creates a reminder with these fields.
  fileprivate func write(into body: ByteBuffer) {
    JSONWriter.object(into: body) { object in
      if let listID { object.member("listID", listID) }
      if let title { object.member("title", title) }
      if let notes { object.member("notes", notes) }
      if let due = dueDate ?? nil { object.member("dueDate", due.description) }
      if let zone = timeZone ?? nil { object.member("timeZone", zone) }
      if let recurrence = recurrence ?? nil {
        object.member("recurrence") { body in
          JSONWriter.object(into: body) { object in
            object.member("rule", recurrence.rule?.description)
            object.member("basis", recurrence.basis?.label)
          }
        }
      }
      if let priority = priority ?? nil { object.member("priority", priority.label) }
      if let isFlagged { object.member("isFlagged", isFlagged) }
      if let tags { object.member("tags", tags) }
      if let alarms {
        object.member("alarms") { body in
          JSONWriter.array(into: body) { array in
            for alarm in alarms {
              array.element { JSONWriter.object(into: $0) { alarm.writeMembers(&$0) } }
            }
          }
        }
      }
    }
  }
}
