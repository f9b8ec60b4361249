/// Random requests of every kind.
public struct RandomTraffic {
  /// Where the randomness comes from.
  public var random: SeededRandom
  private let month: String

  /// Requests whose dates are around the 20th of `month`.
  public init(random: SeededRandom, month: String = "2026-11") {
    self.random = random
    self.month = month
  }

  private mutating func id() -> Int { Int.random(in: 1...12, using: &random) }
  private mutating func list() -> Int { Int.random(in: 1...4, using: &random) }
  private mutating func tag() -> String { random.pick(["red", "Blue", "green", "pink"]) }
  private mutating func word() -> String {
    random.pick(["milk", "bread", "call", "pack", "réglé", "x"])
  }
  private mutating func due() -> String {
    random.pick([
      "null", #""\#(month)-20""#, #""\#(month)-19""#, #""\#(month)-25""#,
      #""\#(month)-20T11:59:59.999Z""#,
      #""\#(month)-20T23:30:00+01:00""#,
    ])
  }

  // MARK: Queries

  /// The target of a `GET` that can be an event stream.
  public mutating func query() -> String {
    switch Int.random(in: 0..<14, using: &random) {
    case 0: return "/v1/lists"
    case 1: return "/v1/lists/\(list())"
    case 2, 3: return "/v1/lists/\(list())/reminders" + parameters()
    case 4, 5, 6, 7: return "/v1/reminders" + parameters()
    case 8: return "/v1/reminders/\(id())"
    case 9: return random.pick(["/v1/tags", "/v1/tags/\(tag())", "/v1/tags?limit=1"])
    case 10: return "/v1/search?q=\(random.pick(["milk", "mi", "tag:red", "re", "x"]))"
    case 11: return "/v1/alarms" + alarmParameters()
    case 12: return "/v1/alarms/\(id())"
    default: return random.pick(["/v1/stats", "/v1/stats?timeZone=Pacific/Kiritimati"])
    }
  }

  private mutating func parameters() -> String {
    var items: [String] = []
    if random.once(in: 3) { items.append("completed=\(random.pick(["true", "false"]))") }
    if random.once(in: 5) { items.append("flagged=true") }
    if random.once(in: 5) { items.append("priority=high") }
    if random.once(in: 4) { items.append("tag=\(tag())") }
    if random.once(in: 4) {
      items.append("due=\(random.pick(["today", "overdue", "scheduled", "none"]))")
      if random.once(in: 2) { items.append("timeZone=Pacific/Kiritimati") }
    }
    if random.once(in: 8) { items.append("q=mi") }
    if random.once(in: 3) {
      let sort = random.pick(["position", "dueDate", "title", "priority", "createdAt", "updatedAt"])
      items.append("sort=\(random.pick(["", "-"]))\(sort)")
    }
    if random.once(in: 3) { items.append("limit=\(random.pick([1, 2, 3, 5]))") }
    if random.once(in: 5) { items.append("total=true") }
    return items.isEmpty ? "" : "?" + items.joined(separator: "&")
  }

  private mutating func alarmParameters() -> String {
    random.pick([
      "", "?state=armed", "?state=passed&total=true", "?state=acknowledged&limit=1",
      "?reminderID=\(id())", "?listID=\(list())&state=armed", "?limit=2",
    ])
  }

  // MARK: Changes

  /// A request that may change something.
  public mutating func change() -> (method: String, target: String, body: String?) {
    switch Int.random(in: 0..<24, using: &random) {
    case 0...3: return ("POST", "/v1/reminders", reminder(in: list()))
    case 4...8: return ("PATCH", "/v1/reminders/\(id())", patch())
    case 9: return ("DELETE", "/v1/reminders/\(id())", nil)
    case 10, 11: return ("PUT", "/v1/reminders/\(id())/tags/\(tag())", nil)
    case 12: return ("DELETE", "/v1/reminders/\(id())/tags/\(tag())", nil)
    case 13: return ("PATCH", "/v1/tags/\(tag())?merge=true", #"{"title":"\#(tag())"}"#)
    case 14: return ("DELETE", "/v1/tags/\(tag())", nil)
    case 15: return ("POST", "/v1/lists", #"{"title":"\#(word())"}"#)
    case 16: return ("PATCH", "/v1/lists/\(list())", #"{"title":"\#(word())"}"#)
    case 17: return ("DELETE", "/v1/lists/\(list())", nil)
    case 20, 21: return ("POST", "/v1/reminders/\(id())/alarms", alarm())
    case 22:
      return (
        "PATCH", "/v1/alarms/\(id())",
        random.pick([
          #"{"state":"acknowledged"}"#, #"{"snoozedUntil":"\#(month)-21T08:00:00Z"}"#, alarm(),
        ])
      )
    case 23: return ("DELETE", "/v1/alarms/\(id())", nil)
    // Refused and rolled back, because six tags are too many.
    case 18:
      return (
        "PATCH", "/v1/reminders/\(id())",
        #"{"title":"refused","tags":["a","b","c","d","e","f"]}"#
      )
    default: return ("PUT", "/v1/lists/order", #"{"ids":[2,1]}"#)
    }
  }

  private mutating func reminder(in list: Int) -> String {
    #"{"listID":\#(list),"title":"\#(word()) \#(word())","dueDate":\#(due()),"tags":["\#(tag())"],"#
      + #""isFlagged":\#(random.pick(["true", "false"])),"priority":"high"}"#
  }

  private mutating func alarm() -> String {
    random.pick([
      #"{"offset":"-PT1H"}"#, #"{"offset":"P1D"}"#, #"{"at":"\#(month)-22T09:00:00Z"}"#,
      #"{"at":"\#(month)-19T09:00:00Z"}"#,
    ])
  }

  private mutating func patch() -> String {
    random.pick([
      #"{"alarms":[\#(alarm())]}"#, #"{"alarms":[]}"#,
      #"{"title":"\#(word())"}"#, #"{"status":"completed"}"#, #"{"status":"incomplete"}"#,
      #"{"listID":\#(list())}"#, #"{"dueDate":\#(due())}"#, #"{"priority":null}"#,
      #"{"isFlagged":true}"#, #"{"notes":"\#(word())"}"#, #"{"tags":["\#(tag())","\#(tag())"]}"#,
      "{}",
    ])
  }

  /// A statement of another program.
  public mutating func foreignChange() -> String {
    random.pick([
      "UPDATE reminders SET title = 'milk' WHERE id = \(id())",
      "DELETE FROM reminders WHERE id = \(id())",
      "UPDATE OR IGNORE tags SET title = 'pink' WHERE title = 'red'",
      "INSERT INTO reminders(remindersListID, title) SELECT min(id), 'bread' FROM remindersLists",
      "UPDATE remindersLists SET title = 'x' WHERE id = \(list())",
      "UPDATE alarms SET acknowledgedAt = '\(month)-20 10:00:00.000' WHERE id = \(id())",
      """
      INSERT INTO alarms (reminderID, at) SELECT id, '\(month)-23 10:00:00.000' FROM reminders
      WHERE id = \(id()) AND alarmCount < 20
      """,
    ])
  }
}
