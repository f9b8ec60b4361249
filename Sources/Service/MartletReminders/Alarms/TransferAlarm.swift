import MartletTime

/// An alarm in a transfer.
public struct TransferAlarm: Equatable, Sendable {
  /// When it rings.
  public var trigger: AlarmTrigger
  /// Until when it is snoozed, or was if it has rung since.
  public var snoozedUntil: Instant?
  /// When it was acknowledged.
  public var acknowledgedAt: Instant?

  /// An alarm.
  public init(
    _ trigger: AlarmTrigger, snoozedUntil: Instant? = nil, acknowledgedAt: Instant? = nil
  ) {
    self.trigger = trigger
    self.snoozedUntil = snoozedUntil
    self.acknowledgedAt = acknowledgedAt
  }
}
