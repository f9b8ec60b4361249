import MartletQueryBuilder

/// The triggers for smart lists. They are pure SQL and hold for every program that writes to the
/// file. The table checks the values.
///
/// In the change feed they are in list 0, so that keys limited to some lists do not see them.
enum SmartListTriggers {
  private static let noList: QueryFragment = "0"

  /// Checks the number and the UID of a new smart list, places it last unless it has a position,
  /// and sets its times.
  static let complete = SmartList.createTrigger(
    "martlet_smartLists_complete",
    after: .insert { new in
      Refusal(
        (
          unless: ChangeLine.isNew("\(new.id)", .smartList, inList: noList),
          ValueRule.replaced.rawValue
        ),
        (
          unless: "(SELECT count(*) FROM smartLists) <= \(raw: "\(SmartList.most)")",
          RuleViolation.tooManySmartLists.rawValue
        ),
        UID.isUnique("\(new.uid)", among: SmartList.self, "\(new.id)"))
      PlainStatement.line(.smartList, "\(new.id)", inList: noList)
      SmartList.find(new.id).update {
        $0.uid = UID.given
        $0.position = #sql("coalesce(position, \(SmartList.nextPosition))")
        $0.createdAt = #sql("strftime('%Y-%m-%d %H:%M:%f', 'now')")
        $0.updatedAt = #sql("strftime('%Y-%m-%d %H:%M:%f', 'now')")
        $0.version = #sql("last_insert_rowid()")
      }
    })

  static let touch = SmartList.createTrigger(
    "martlet_smartLists_touch",
    after: .update(of: { _ in return SmartList.clientColumns.names }) { old, new in
      PlainStatement.line(.smartList, "\(new.id)", inList: noList)
      SmartList.find(new.id).update {
        $0.updatedAt = #sql("\(PlacedRow.touched(after: "\(old.updatedAt)"))")
        $0.version = #sql("last_insert_rowid()")
      }
    })

  /// Checks and records a change that ``touch`` does not: of the UID, the position, or a time that
  /// a program sets. A smart list without a position comes last.
  static let log = SmartList.createTrigger(
    "martlet_smartLists_log",
    after: .update(of: { ($0.uid, $0.position, $0.createdAt, $0.updatedAt) }) { old, new in
      PlacedRow.rules(
        unique: UID.isUnique("\(new.uid)", among: SmartList.self, "\(new.id)"))
      PlainStatement.line(.smartList, "\(new.id)", inList: noList)
      SmartList.find(new.id).update {
        $0.uid = UID.given
        $0.position = #sql("coalesce(position, \(SmartList.nextPosition))")
        $0.updatedAt = #sql("max(updatedAt, coalesce(createdAt, updatedAt))")
        $0.version = #sql("last_insert_rowid()")
      }
    } when: { old, new in
      PlacedRow.isUnlogged(.smartList, "\(new.id)", "\(old.version)", "\(new.version)")
        && (old.uid.isNot(new.uid) || old.position.isNot(new.position)
          || old.createdAt.isNot(new.createdAt) || old.updatedAt.isNot(new.updatedAt))
    })

  static let keepID = SmartList.keepsID

  static let gone = SmartList.createTrigger(
    "martlet_smartLists_gone",
    after: .delete { old in
      PlainStatement.goneLine(.smartList, "\(old.id)", fromList: noList)
    })
}

extension SmartList {
  /// The position after the last smart list, or 0 for the first one.
  fileprivate static var nextPosition: SQLQueryExpression<Int> {
    SQLQueryExpression(
      SmartList.select { Positions.next(after: "\($0.position.max())") }.queryFragment)
  }
}
