/// The writer's time that each client owes, because other clients have waited for its long writes.
///
/// A debt is paid back slowly, so that a client can delay the others for a small share of the time
/// only, however often it repeats a long write. Client 0 stands for callers that are not
/// distinguished, and owes nothing. The type is pure: times are nanoseconds of any steady clock.
struct WriterDebts {
  /// A write that runs for less time makes no debt: in a busy server every client's short writes
  /// wait for those of others.
  static let shortWrite: UInt64 = 5_000_000
  /// How long each write of a client that is in debt may delay other clients. A client is in debt
  /// if it owes more.
  static let slice: UInt64 = 75_000_000
  /// A debt of one nanosecond is paid in this many.
  static let timeToPay: UInt64 = 20

  private struct Debt {
    var amount: UInt64
    var time: UInt64
  }

  /// The time for which a client without debts may delay others, and the largest debt.
  let most: UInt64
  private var debts: [Int: Debt] = [:]

  init(most: UInt64) { self.most = most }

  /// Whether no client owes anything. May also be false shortly after the last debt was paid.
  var isEmpty: Bool { debts.isEmpty }

  func owed(by client: Int, at now: UInt64) -> UInt64 {
    guard let debt = debts[client] else { return 0 }
    let paid = now > debt.time ? (now - debt.time) / Self.timeToPay : 0
    return debt.amount - min(paid, debt.amount)
  }

  /// Whether each write of the client runs on its own, after those of the others.
  func isInDebt(_ client: Int, at now: UInt64) -> Bool { owed(by: client, at: now) > Self.slice }

  /// How long a write of the client may delay others.
  func allowance(of client: Int, at now: UInt64) -> UInt64 {
    max(min(Self.slice, most), most - owed(by: client, at: now))
  }

  /// Adds the time that others have waited for a write of the client.
  mutating func charge(_ client: Int, _ time: UInt64, at now: UInt64) {
    guard client != 0 else { return }
    let amount = min(most, owed(by: client, at: now) + min(time, most))
    if debts[client] == nil { debts = debts.filter { owed(by: $0.key, at: now) > 0 } }
    debts[client] = Debt(amount: amount, time: now)
  }
}
