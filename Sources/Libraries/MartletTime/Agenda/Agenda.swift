import Dispatch
import Synchronization

/// Schedules handlers at instants of the wall clock, with a single alarm for all of them.
///
///     let agenda = Agenda(clock)
///     let midnight = agenda.entry()
///     midnight.whenDue { now, _ in … }
///     midnight.plan(at: nextMidnight)
///
/// Keep the entry, for example in a property: an entry that is released is removed.
public final class Agenda: Sendable {
  /// Called on the agenda's serial queue, so it must not block.
  public typealias Handler = @Sendable (_ now: Instant, AlarmReason) -> Void

  private struct State {
    var planned: [UInt64: Instant] = [:]
    var handlers: [UInt64: Handler] = [:]
    var lastID: UInt64 = 0
    var alarm: (any Alarm)?
    /// The instant to which the alarm is set.
    var instant: Instant?
  }

  /// The clock whose wall time the agenda follows.
  public let clock: Clock
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "agenda", qos: .userInitiated)

  /// Makes an empty agenda.
  public init(_ clock: Clock = .system) { self.clock = clock }

  /// One client's entry in an agenda. Releasing its last reference removes it.
  public final class Entry: Sendable {
    private let id: UInt64
    private let agenda: Agenda

    fileprivate init(_ id: UInt64, _ agenda: Agenda) {
      self.id = id
      self.agenda = agenda
    }

    deinit { agenda.remove(id) }

    /// Sets the handler, called when the planned instant arrives and whenever the clock is set.
    /// Both clear the plan: call ``plan(at:)`` again for the next instant.
    public func whenDue(_ handler: @escaping Handler) { agenda.set(handler, id) }

    /// Replaces the planned instant; `nil` removes it.
    public func plan(at instant: Instant?) { agenda.plan(id, at: instant) }
  }

  /// Adds an entry.
  public func entry() -> Entry {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return Entry(id, self)
  }

  private func set(_ handler: @escaping Handler, _ id: UInt64) {
    // The previous handler is released outside the lock, because it can hold another entry.
    let previous = state.withLock { state in
      defer { makeAlarm(&state) }
      return state.handlers.updateValue(handler, forKey: id)
    }
    _ = consume previous
  }

  private func plan(_ id: UInt64, at instant: Instant?) {
    state.withLock { state in
      state.planned[id] = instant
      setAlarm(&state)
    }
  }

  private func remove(_ id: UInt64) {
    // Released outside the lock, because it can hold the last reference to the client.
    let handler = state.withLock { state -> Handler? in
      state.planned[id] = nil
      setAlarm(&state)
      return state.handlers.removeValue(forKey: id)
    }
    _ = consume handler
  }

  private func setAlarm(_ state: inout State) {
    let first = state.planned.values.min()
    guard first != state.instant else { return }
    state.instant = first
    makeAlarm(&state)
    state.alarm?.set(first)
  }

  private func makeAlarm(_ state: inout State) {
    guard state.alarm == nil else { return }
    state.alarm = clock.alarm { [weak self] reason in
      guard let self else { return }
      queue.async { self.ring(reason) }
    }
    state.alarm?.set(nil)
  }

  private func ring(_ reason: AlarmReason) {
    let now = clock.now()
    let due = state.withLock { state -> [Handler] in
      let ids =
        reason == .clockWasSet
        ? Array(state.handlers.keys) : state.planned.filter { $0.value <= now }.map(\.key)
      for id in ids { state.planned[id] = nil }
      // The alarm has fired and must be set again, even to the same instant.
      state.instant = state.planned.values.min()
      state.alarm?.set(state.instant)
      return ids.sorted().compactMap { state.handlers[$0] }
    }
    for handler in due { handler(now, reason) }
  }
}

/// Fires when a clock reaches an instant, and whenever the clock is set.
public protocol Alarm: AnyObject, Sendable {
  /// Replaces the instant at which the alarm fires, once; `nil` removes it. An instant in the past
  /// fires immediately.
  func set(_ instant: Instant?)
}

/// Why an alarm fires.
public enum AlarmReason: Sendable {
  /// The clock has reached the instant.
  case isDue
  /// The clock was set forward or back, so plans based on it must be made again.
  case clockWasSet
}
