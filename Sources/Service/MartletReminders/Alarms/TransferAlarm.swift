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

extension TransferAlarm {
  /// The alarm with what holds of the two times, in whole seconds: it is snoozed after it was
  /// acknowledged, or acknowledged.
  var settled: TransferAlarm {
    var alarm = self
    (alarm.snoozedUntil, alarm.acknowledgedAt) = (snoozedUntil?.whole, acknowledgedAt?.whole)
    alarm.trigger = trigger.whole
    if let until = alarm.snoozedUntil, alarm.acknowledgedAt.map({ $0 < until }) ?? true {
      alarm.acknowledgedAt = nil
    } else {
      alarm.snoozedUntil = nil
    }
    return alarm
  }

  /// The alarm as it rings at a moment: an acknowledgement before that is about an earlier one
  /// (RFC 9074 section 6.1).
  func since(_ moment: Instant?) -> TransferAlarm {
    var alarm = self
    if let time = acknowledgedAt, let moment, time.whole < moment.whole {
      alarm.acknowledgedAt = nil
    }
    return alarm
  }

  /// The alarm as others understand it: one that was acknowledged before its moment is acknowledged
  /// at that, because otherwise it would ring.
  func acknowledged(for moment: Instant?) -> TransferAlarm {
    var alarm = self
    if let time = acknowledgedAt, let moment { alarm.acknowledgedAt = max(time, moment.whole) }
    return alarm
  }
}
