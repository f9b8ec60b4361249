import MartletSQLite
import MartletStore
import MartletTime
import Testing

@testable import MartletReminders

/// A cursor is valid only with the filters of its page. With other filters it would skip rows.
@Suite("The fingerprint ties a cursor to its filters") struct FingerprintTests {
  /// For each member, a value that differs from a new filter's. A missing member fails the test.
  private static let changes: [String: @Sendable (inout ReminderFilter) -> Void] = [
    "listID": { $0.listID = 2 },
    "status": { $0.status = .completed },
    "isCompleted": { $0.isCompleted = false },
    "isFlagged": { $0.isFlagged = false },
    "parent": { $0.parent = .reminder(7) },
    "listIDs": { $0.listIDs = [2, 3] },
    "priorities": { $0.priorities = [.low] },
    "isRecurring": { $0.isRecurring = true },
    "isAvailable": { $0.isAvailable = true },
    "dueWithin": { $0.dueWithin = 7 },
    "tags": { $0.tags = ["car"] },
    "due": { $0.due = .overdue },
    "dueBefore": { $0.dueBefore = .instant(.epoch) },
    "dueAfter": { $0.dueAfter = .instant(.epoch) },
    "text": { $0.text = SearchText("car") },
    "zone": { $0.zone = (try? ZoneDatabase.system.zone(named: "Europe/Vienna")) ?? .utc },
  ]
  /// Members that are not parameters of the client: the accessible lists may change between pages.
  private static let others: Set<String> = ["lists"]

  private func fingerprint(_ change: (inout ReminderFilter) -> Void) -> UInt64 {
    var filter = ReminderFilter()
    change(&filter)
    return ReminderPages(
      filter: filter, sort: ReminderSort(.title), request: PageRequest(), now: .epoch
    ).fingerprint
  }

  @Test("Each member of a filter is part of its fingerprint")
  func members() {
    let members = Mirror(reflecting: ReminderFilter()).children.compactMap(\.label)
    #expect(Set(members) == Set(Self.changes.keys).union(Self.others))
    var seen: [UInt64: String] = [fingerprint { _ in }: "no filter"]
    for member in members {
      guard let change = Self.changes[member] else { continue }
      let one = fingerprint(change)
      #expect(seen[one] == nil, "\(member) is taken for \(seen[one] ?? "")")
      seen[one] = member
    }
  }
}
