import Glibc
import SQLite

/// Interrupts a connection's statements when their time is over. SQLite looks at it about every
/// thousand instructions; a step of FTS5 may take tens of milliseconds between two looks.
final class ReadBudget {
  private var deadline = UInt64.max
  private var isOver = false

  static func install(on connection: Connection) -> ReadBudget {
    let budget = ReadBudget()
    connection.onProgress(every: 1_000) { budget.allowsMore() }
    return budget
  }

  private func allowsMore() -> Bool {
    // Without a budget there is nothing to measure.
    guard deadline != .max, steadyNanoseconds() >= deadline else { return true }
    isOver = true
    return false
  }

  /// Runs `body`; throws ``ReadError/overBudget(nanoseconds:)`` when it was interrupted.
  func limiting<T>(to nanoseconds: UInt64?, _ body: () throws -> T) throws -> T {
    guard let nanoseconds else { return try body() }
    deadline = steadyNanoseconds() &+ nanoseconds
    isOver = false
    defer { deadline = .max }
    do {
      let result = try body()
      // A closure that swallowed the interruption has not seen all rows.
      if isOver { throw ReadError.overBudget(nanoseconds: nanoseconds) }
      return result
    } catch  where isOver {
      throw ReadError.overBudget(nanoseconds: nanoseconds)
    }
  }
}
