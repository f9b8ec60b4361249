import MartletQueryBuilder

/// The triggers for channels. They are pure SQL and hold for every program that writes to the file.
enum ChannelTriggers {
  /// Checks a new channel. If it replaces another, REPLACE has run no delete trigger for that, and
  /// the new channel must not send what waited for it.
  static let onInsert = Channel.createTrigger(
    "martlet_channels_onInsert",
    after: .insert { new in
      Refusal(
        (
          unless: """
          (SELECT count(*) FROM channels WHERE kind <> \(push)) <= \(raw: "\(ChannelItem.most)") \
          AND (SELECT count(*) FROM channels WHERE kind = \(push)) <= \
          \(raw: "\(PushSubscriptionItem.most)")
          """,
          RuleViolation.tooManyChannels.rawValue
        ))
      Delivery.where { $0.channelID == new.id }.delete()
      PlainStatement.count(Channel.self)
    })

  private static var push: QueryFragment { "\(raw: "\(ChannelKind.push.rawValue)")" }

  static let onUpdate = Channel.createTrigger(
    "martlet_channels_onUpdate",
    after: .update { _, _ in PlainStatement.count(Channel.self) })

  /// A deleted channel sends nothing any more, and what it has sent is not shown.
  static let cascade = Channel.createTrigger(
    "martlet_channels_cascade",
    after: .delete { old in
      Delivery.where { $0.channelID == old.id }.delete()
      PlainStatement.count(Channel.self)
    })

  /// Checks a new delivery.
  static let delivery = Delivery.createTrigger(
    "martlet_deliveries_onInsert",
    after: .insert { new in
      Refusal(
        (
          unless: "EXISTS (SELECT 1 FROM channels WHERE id = \(new.channelID))",
          RuleViolation.deliveryWithoutChannel.rawValue
        ))
      PlainStatement.count(Delivery.self)
    })

  static let updatedDelivery = Delivery.createTrigger(
    "martlet_deliveries_onUpdate",
    after: .update { _, _ in PlainStatement.count(Delivery.self) })

  /// A delivery stays with its channel, and a channel keeps its ID.
  static let channelMoved = Channel.createTrigger(
    "martlet_channels_moved",
    before: .update(of: { _ in return RowID.names() }) { old, new in stays("\(old.id) = \(new.id)")
    })

  static let deliveryMoved = Delivery.createTrigger(
    "martlet_deliveries_moved",
    before: .update(of: { $0.channelID }) { old, new in
      stays("\(old.channelID) = \(new.channelID)")
    })

  private static func stays(_ condition: QueryFragment) -> Refusal {
    Refusal((unless: condition, RuleViolation.deliveryOfAnother.rawValue))
  }
}
