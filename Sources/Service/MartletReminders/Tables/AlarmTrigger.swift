import MartletTime

/// When an alarm rings, as a client sets it.
public struct AlarmTrigger: Hashable, Sendable {
  /// The instant that an alarm rings at, or the date that it is relative to.
  public enum Moment: Hashable, Sendable {
    /// An instant.
    case at(Instant)
    /// A duration after a date of the reminder; before it, if the duration is negative.
    case offset(CivilDuration, from: ReminderAlarm.Anchor)

    /// The moment in the columns of an alarm; `nil` if another program wrote an invalid offset.
    init?(at: Instant?, offset: String?, from anchor: ReminderAlarm.Anchor?) {
      if let at {
        self = .at(at)
      } else if let offset = offset.flatMap(AlarmTrigger.offset) {
        self = .offset(offset, from: anchor ?? .due)
      } else {
        return nil
      }
    }

    /// The instant for these dates of a reminder; `nil` without the one that it is counted from.
    func instant(due: DueDate?, start: DueDate?, in zone: ZoneInfo) -> Instant? {
      guard case .offset(let offset, let anchor) = self else {
        guard case .at(let instant) = self else { return nil }
        return instant
      }
      return switch anchor == .start ? start : due {
      case .day(let day): offset.instant(afterMidnightOf: day, in: zone)
      case .instant(let instant): offset.instant(after: instant, in: zone)
      case nil: nil
      }
    }

    /// A fixed time that belongs to an occurrence, for another one: at the same distance from it on
    /// the clocks. A time that is after both belongs to neither, and stays.
    func shifted(from old: DueDate, to new: DueDate, in zone: ZoneInfo) -> Self {
      guard case .at(let at) = self, old.isTimed == new.isTimed else { return self }
      func onClocks(_ instant: Instant) -> Instant { zone.time(at: instant).instant() }
      let (from, to) = (old.start(in: zone), new.start(in: zone))
      let clocks = onClocks(at).adding(
        milliseconds: onClocks(to).milliseconds(since: onClocks(from)))
      guard clocks >= .earliest, clocks <= .latest else { return self }
      let moved = zone.instant(of: CivilTime(clocks))
      return min(at, moved) < max(from, to) ? .at(moved) : self
    }
  }
  /// When it rings first.
  public var moment: Moment
  /// How it rings again.
  public var repetition: Repetition?

  /// Ringing again until it is acknowledged.
  public struct Repetition: Hashable, Sendable {
    /// The time from one to the next, without days.
    public var every: CivilDuration
    /// Their number.
    public var times: Int

    /// The allowed numbers.
    public static let allowedTimes = 1...100

    /// A repetition; `nil` unless `every` is the text of a duration of 1 minute to 1 day.
    public init?(every: String, times: Int) {
      guard let text = CivilDuration(every), text.days == 0 || text.milliseconds == 0,
        let every = CivilDuration(milliseconds: text.milliseconds + Int64(text.days) * 86_400_000),
        60_000...86_400_000 ~= every.milliseconds
      else { return nil }
      self.every = every
      self.times = times
    }
  }

  /// A trigger.
  public init(_ moment: Moment, repetition: Repetition? = nil) {
    self.moment = moment
    self.repetition = repetition
  }

  /// The longest offset in days.
  public static let longestDays = 366

  /// The offset with this text; `nil` if it is invalid or longer than ``longestDays``.
  public static func offset(_ text: String) -> CivilDuration? {
    let day: Int64 = 86_400_000
    guard let offset = CivilDuration(text),
      Int64(abs(offset.days)) * day + abs(offset.milliseconds) <= Int64(longestDays) * day
    else { return nil }
    return offset
  }
}
