import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import TestSupport
import Testing

@Table private struct Page: Equatable {
  let id: Int
  @Column(as: Everything.JSONRepresentation.self) var doc: Everything
}
private typealias Doc = Everything.JSONRepresentation

/// For random values of each representation: what a row, `jsonSet`, `jsonInsert` or `jsonReplace`
/// writes into a document is read back by the row and by `jsonExtract`, and found by a comparison.
/// A failure prints its seed.
@Suite struct DocumentMembersTests {
  private struct Case {
    let db: Connection
    let old: Everything
    let new: Everything
    let seed: UInt64

    init() throws {
      seed = UInt64.random(in: 0 ... .max)
      var random = RandomDocuments(seed: seed)
      old = random.everything()
      new = random.everything()
      db = try Connection(location: .inMemory)
      try db.execute(#"CREATE TABLE "pages" ("id" INTEGER PRIMARY KEY, "doc" TEXT) STRICT"#)
      try Page.insert { Page(id: 1, doc: old) }.execute(db)
    }

    func doc() throws -> Everything? { try Page.find(1).select(\.doc).fetchOne(db) }

    /// Checks a member that is a column.
    func column<V: ColumnRepresentation>(
      _ path: JSONKeyPath<Doc, V>, _ member: WritableKeyPath<Everything, V.QueryOutput>,
      at location: SourceLocation = #_sourceLocation
    ) throws where V.QueryOutput: Equatable {
      let comment: Comment = "seed \(seed)"
      let value = old[keyPath: member]
      let read = Page.select { page in
        #sql("\(page.doc.jsonExtract(path) as SQLQueryExpression<V>)", as: V.self)
      }
      #expect(try read.fetchAll(db) == [value], comment, sourceLocation: location)
      let found = Page.where { page in
        #sql(
          "\(page.doc.jsonExtract(path) as SQLQueryExpression<V>) IS \(bind: value, as: V.self)",
          as: Bool.self)
      }
      #expect(try found.fetchCount(db) == 1, comment, sourceLocation: location)
      try changes(path, member, at: location)
    }

    func changes<V: QueryRepresentable>(
      _ path: JSONKeyPath<Doc, V>, _ member: WritableKeyPath<Everything, V.QueryOutput>,
      at location: SourceLocation = #_sourceLocation
    ) throws where V.QueryOutput: Equatable {
      let comment: Comment = "seed \(seed)"
      let value = new[keyPath: member]
      var changed = old
      changed[keyPath: member] = value
      try db.execute("SAVEPOINT s")
      try Page.update { $0.doc = $0.doc.jsonSet(path, value) }.execute(db)
      #expect(try doc() == changed, comment, sourceLocation: location)
      try db.execute("ROLLBACK TO s")
      try Page.update { $0.doc = $0.doc.jsonInsert(path, value) }.execute(db)
      let wasThere = StoredNull.isNot(old[keyPath: member])
      #expect(try doc() == (wasThere ? old : changed), comment, sourceLocation: location)
      try db.execute("ROLLBACK TO s")
      try Page.update { $0.doc = $0.doc.jsonReplace(path, value) }.execute(db)
      #expect(try doc() == (wasThere ? changed : old), comment, sourceLocation: location)
      try db.execute("ROLLBACK TO s")
      try Page.update { $0.doc = $0.doc.jsonRemove(path).jsonInsert(path, value) }.execute(db)
      #expect(try doc() == changed, comment, sourceLocation: location)
      try db.execute("ROLLBACK TO s; RELEASE s")
    }
  }

  @Test func scalars() throws {
    for _ in 0..<Effort.rounds(10) {
      let test = try Case()
      #expect(try test.doc() == test.old, "seed \(test.seed)")
      try test.column(\.int, \.int)
      try test.column(\.small, \.small)
      try test.column(\.double, \.double)
      try test.column(\.float, \.float)
      try test.column(\.isOn, \.isOn)
      try test.column(\.text, \.text)
      try test.column(\.bytes, \.bytes)
      try test.column(\.data, \.data)
      try test.column(\.url, \.url)
      try test.column(\.grade, \.grade)
      try test.column(\.cents, \.cents)
      try test.column(\.shade, \.shade)
      try test.changes(\.binary, \.binary)
      #expect(
        try Page.where { $0.doc.jsonExtract(\.binary).eq(test.old.binary) }.fetchCount(test.db) == 1
      )
      #expect(
        try Page.select { $0.doc.jsonExtract(\.binary) }.fetchAll(test.db) == [test.old.binary])
      try test.column(\.maybeInt, \.maybeInt)
      try test.column(\.maybeData, \.maybeData)
    }
  }

  @Test func datesAndUUIDs() throws {
    for _ in 0..<Effort.rounds(10) {
      let test = try Case()
      try test.column(\.iso, \.iso)
      try test.column(\.unix, \.unix)
      try test.column(\.julian, \.julian)
      try test.column(\.uuid, \.uuid)
      try test.column(\.upper, \.upper)
      try test.column(\.raw, \.raw)
      try test.column(\.maybeUnix, \.maybeUnix)
      try test.column(\.maybeRaw, \.maybeRaw)
      try test.column(\.detail.token, \.detail.token)
    }
  }

  @Test func collections() throws {
    for _ in 0..<Effort.rounds(10) {
      let test = try Case()
      try test.column(\.uuids, \.uuids)
      try test.column(\.dates, \.dates)
      try test.column(\.datas, \.datas)
      try test.column(\.prices, \.prices)
      try test.column(\.named, \.named)
      try test.column(\.pictures, \.pictures)
      let (old, db, comment) = (test.old, test.db, "seed \(test.seed)" as Comment)
      try first(\.uuids[0], old.uuids, db, comment)
      try first(\.dates[0], old.dates, db, comment)
      try first(\.datas[0], old.datas, db, comment)
      try first(\.prices[0], old.prices, db, comment)
      try first(\.named["b c"], [old.named["b c"] ?? []], db, comment)
      let taken: [Date?] = try Page.select { $0.doc.jsonExtract(\.pictures[0].taken) }.fetchAll(db)
      #expect(taken == [old.pictures.first?.taken], comment)
      try each(test)
    }
  }

  private func first<V: QueryBindable & Equatable>(
    _ path: JSONKeyPath<Doc, V>, _ values: [V], _ db: Connection, _ comment: Comment,
    at location: SourceLocation = #_sourceLocation
  ) throws where V.QueryOutput == V, V.Unwrapped.QueryOutput: Equatable {
    let read: SQLQueryExpression<V.Unwrapped?> = Page.columns.doc.jsonExtract(path)
    let value = try Page.select { _ in read }.fetchAll(db)
    #expect(
      value == [values.first.flatMap { $0 as? V.Unwrapped.QueryOutput }], comment,
      sourceLocation: location)
  }

  private func each(_ test: Case) throws {
    let (old, db, comment) = (test.old, test.db, "seed \(test.seed)" as Comment)
    let doc = Page.columns.doc
    #expect(try doc.jsonEach(\.uuids).from(Page.self, db).map(\.value) == old.uuids, comment)
    #expect(try doc.jsonEach(\.datas).from(Page.self, db).map(\.value) == old.datas, comment)
    #expect(try doc.jsonEach(\.pictures).from(Page.self, db).map(\.value) == old.pictures, comment)
    let named = try doc.jsonEach(\.named).from(Page.self, db)
    #expect(named.first { $0.key == "b c" }?.value == old.named["b c"], comment)
    if let data = old.datas.first, let uuid = old.uuids.first {
      #expect(
        try Page.join(doc.jsonEach(\.datas)) { $1.value.eq(data) }.fetchCount(db)
          == old.datas.count { $0 == data }, comment)
      #expect(try Page.join(doc.jsonEach(\.uuids)) { $1.value == uuid }.fetchCount(db) > 0, comment)
      let outer = Page.leftJoin(doc.jsonEach(\.datas)) { $1.value.eq(data) }.select { $1.value }
      #expect(try outer.fetchAll(db).first == data, comment)
    }
  }

  /// Enums and groups, at each level.
  @Test func rows() throws {
    for _ in 0..<60 {
      let test = try Case()
      try test.changes(\.detail, \.detail)
      try test.changes(\.spare, \.spare)
      try test.changes(\.detail.content, \.detail.content)
      let details = try Page.select { $0.doc.jsonExtract(\.detail) }.fetchAll(test.db)
      #expect(details == [test.old.detail], "seed \(test.seed)")
      let content: [DocContent] = try Page.select { $0.doc.jsonExtract(\.detail.content) }
        .fetchAll(test.db)
      #expect(content == [test.old.detail.content], "seed \(test.seed)")
    }
  }
}

private enum StoredNull {
  static func isNot<V>(_ value: V) -> Bool {
    (value as? (any OptionalValue))?.isThere ?? true
  }
}
private protocol OptionalValue { var isThere: Bool { get } }
extension Optional: OptionalValue { var isThere: Bool { self != nil } }

extension Select where Picked == (), Output: Table, Scope == Output.TableColumns {
  /// The elements of the documents in a table.
  fileprivate func from<T: Table>(_ table: T.Type, _ db: Connection) throws -> [Output]
  where T.TableColumns.QueryValue == T {
    try T.all.join(self) { _, _ in #sql("1") }.select { $1 }.fetchAll(db)
  }
}
