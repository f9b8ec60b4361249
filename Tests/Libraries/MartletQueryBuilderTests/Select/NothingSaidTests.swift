import MartletQueryBuilder
import Testing

/// `nil` and empty builders add no clause.
@Suite struct NothingSaidTests {
  private let all = #"SELECT "tags"."title" FROM "tags""#
  private var tags: Select<Tag.TableColumns, String, String> { Tag.select(\.title) }

  @Test(arguments: [nil, 3]) func limit(_ count: Int?) {
    let limited = count == nil ? all : all + " LIMIT ?"
    let bindings: [QueryBinding] = count == nil ? [] : [.int(3)]
    expectSQL(tags.limit(count), limited, bindings)
    expectSQL(tags.limit { _ in count }, limited, bindings)
    expectSQL(tags.limit { _ in if let count { count } }, limited, bindings)
    expectSQL(tags.limit { _ in if count != nil { 3 } else { nil } }, limited, bindings)
    expectSQL(
      tags.limit { _ in
        switch count {
        case let count?: count
        case nil: nil
        }
      }, limited, bindings)
    expectSQL(Tag.limit(count).select(\.title), limited, bindings)
    expectSQL(Tag.limit { _ in if let count { count } }.select(\.title), limited, bindings)
  }

  @Test(arguments: [nil, 3]) func offset(_ count: Int?) {
    let moved = count == nil ? all : all + " LIMIT -1 OFFSET ?"
    let bindings: [QueryBinding] = count == nil ? [] : [.int(3)]
    expectSQL(tags.offset(count), moved, bindings)
    expectSQL(tags.offset { _ in if let count { count } }, moved, bindings)
    expectSQL(Tag.offset(count).select(\.title), moved, bindings)
    expectSQL(Tag.offset { _ in count }.select(\.title), moved, bindings)
    expectSQL(tags.limit(nil, offset: count), moved, bindings)
  }

  @Test func laterCallsCount() {
    expectSQL(tags.limit(5).limit(nil), all)
    expectSQL(tags.offset(5).offset(nil), all)
    expectSQL(tags.limit { $0.title.length() }, all + #" LIMIT length("tags"."title")"#)
    expectSQL(tags.limit { _ in #sql("2 + 1") }, all + " LIMIT 2 + 1")
  }

  @Test func conditions() {
    expectSQL(Tag.where { _ in nil }.select(\.title), all)
    expectSQL(tags.where { _ in nil }, all)
    expectSQL(tags.having { _ in nil }, all)
    expectSQL(tags.order { _ in nil }, all)
    expectSQL(tags.group { _ in nil }, all)
    expectSQL(Tag.delete().where { _ in nil }, #"DELETE FROM "tags""#)
    let condition: SQLQueryExpression<Bool>? = nil
    expectSQL(tags.where { _ in condition }, all)
    expectSQL(Tag.count { _ in nil }, #"SELECT count(*) FROM "tags""#)
  }
}
