import MartletJSON
import MartletQueryBuilder
import MartletTime

/// The times at which a channel sends alarms. Outer `nil` leaves a value unchanged.
public struct ChannelWaits: Equatable, Sendable {
  /// How long after it began to ring an alarm is sent, if it still rings; inner `nil`: at once.
  public var after: CivilDuration??
  /// The quiet hours; inner `nil`: none.
  public var quiet: QuietHours.Values??

  /// The shortest and the longest ``after`` in milliseconds.
  public static let range: ClosedRange<Int64> = 60_000...43_200_000

  /// Values that set nothing.
  public init() {}
}

extension Channel {
  /// Sets when alarms are sent. Throws ``DomainError/invalid(_:_:)``.
  mutating func set(_ waits: ChannelWaits) throws(DomainError) {
    if let after = waits.after { self.after = after?.description }
    guard let values = waits.quiet else { return }
    guard let values else { return quiet = nil }
    let hours = try QuietHours(values, over: quietHours, isSilent: kind.isForPeople)
    quiet = Channel.object { object in
      object.member("from", hours.from)
      object.member("to", hours.to)
      object.member("mode", hours.mode.rawValue)
      object.member("timeZone", hours.timeZone)
    }
  }
}

/// The hours of the day in which a channel does not wake people.
public struct QuietHours: Codable, Equatable, Sendable {
  /// The handling of an alarm that rings in these hours.
  public enum Mode: String, Codable, CaseIterable, Sendable {
    /// It is sent as a message that makes no sound.
    case silently
    /// It is sent when they are over, if it still rings then.
    case later
  }

  /// Their beginning on the clocks, `HH:mm`.
  public var from: String
  /// Their end on the clocks, `HH:mm`. It is on the next day if it is before the beginning.
  public var to: String
  /// The handling of an alarm that rings in these hours.
  public var mode: Mode
  /// The zone of the clocks; `nil`: that of the server.
  public var timeZone: String?

  /// The values of quiet hours that a client sets. `nil` leaves a member unchanged.
  public struct Values: Equatable, Sendable {
    /// The beginning.
    public var from: String?
    /// The end.
    public var to: String?
    /// The handling of an alarm.
    public var mode: Mode?
    /// The zone; inner `nil`: that of the server.
    public var timeZone: String??

    /// Values that set nothing.
    public init() {}
  }

  /// Quiet hours.
  public init(from: String, to: String, mode: Mode, timeZone: String? = nil) {
    (self.from, self.to, self.mode, self.timeZone) = (from, to, mode, timeZone)
  }

  /// The quiet hours that a client has set, over others.
  ///
  /// Throws ``DomainError/invalid(_:_:)`` if a member is missing.
  ///
  /// - Parameter isSilent: Whether the channel has messages that make no sound.
  init(_ values: Values, over old: QuietHours?, isSilent: Bool) throws(DomainError) {
    guard let from = values.from ?? old?.from else { throw .invalid("quiet/from", "is required") }
    guard let to = values.to ?? old?.to else { throw .invalid("quiet/to", "is required") }
    guard from != to else {
      throw .invalid("quiet/to", "expected another time than the beginning")
    }
    (self.from, self.to) = (from, to)
    mode = values.mode ?? old?.mode ?? (isSilent ? .silently : .later)
    guard isSilent || mode == .later else {
      throw .invalid("quiet/mode", "expected \"later\": the channel has no silent messages")
    }
    timeZone = values.timeZone ?? old?.timeZone
  }

  /// The minutes of the day of a time `HH:mm`; `nil` for any other text.
  public static func minutes(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"),
      let hour = Int(text.prefix(2)), let minute = Int(text.suffix(2)),
      0...23 ~= hour, 0...59 ~= minute, bytes[0] != UInt8(ascii: "+"), bytes[3] != UInt8(ascii: "+")
    else { return nil }
    return hour * 60 + minute
  }

  /// The end of these hours; `nil` if an instant is not in them.
  ///
  /// - Parameter house: The zone of the server.
  func end(at now: Instant, _ house: ZoneInfo) -> Instant? {
    guard let from = QuietHours.minutes(from), let to = QuietHours.minutes(to) else { return nil }
    let zone = timeZone.flatMap { try? ZoneDatabase.system.zone(named: $0) } ?? house
    let time = zone.time(at: now)
    let minute = time.hour * 60 + time.minute
    let isOverMidnight = to < from
    let isIn =
      isOverMidnight ? minute >= from || minute < to : minute >= from && minute < to
    guard isIn else { return nil }
    let day = isOverMidnight && minute >= from ? time.date.adding(days: 1) : time.date
    guard let end = CivilTime(date: day, hour: to / 60, minute: to % 60, second: 0) else {
      return nil
    }
    // Where clocks go back, the hours may begin again before their end.
    let instant = zone.instant(of: end)
    return instant > now ? instant : nil
  }
}
