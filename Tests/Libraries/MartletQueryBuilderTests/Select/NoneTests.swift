import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Job: Equatable {
  let id: Int
  var isDone = false
  static let top = Self.order { $0.id.desc() }.limit(1)
}

@Table private struct Crew: Equatable {
  let id: Int
  var jobID = 0
}

private enum J: AliasName {}

/// `none` has no rows wherever it is used, and the limits of a change apply to it.
@Suite struct NoneTests {
  let db: Connection
  init() throws {
    db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "jobs" ("id" INTEGER PRIMARY KEY, "isDone" INTEGER);
      CREATE TABLE "crews" ("id" INTEGER PRIMARY KEY, "jobID" INTEGER);
      INSERT INTO "jobs" VALUES (1, 0), (2, 1), (3, 0);
      INSERT INTO "crews" VALUES (1, 1), (2, 1)
      """)
  }

  @Test func asAPart() throws {
    try Job.find(Job.none.select(\.id)).delete().execute(db)
    try Job.where { $0.id.in(Job.all.select(\.id).intersect(Job.none.select(\.id))) }.delete()
      .execute(db)
    #expect(try Job.all.fetchCount(db) == 3)
    #expect(try Job.where { $0.id.in(Job.none.select(\.id)) }.fetchAll(db) == [])
    #expect(try Job.select { _ in Job.none.exists() }.fetchAll(db) == [false, false, false])
    #expect(try Job.none.count.fetchOne(db) == 0)
    #expect(try Job.none.limit(3).count.fetchOne(db) == 0)
    #expect(try Job.select { _ in Job.none.count }.fetchAll(db) == [0, 0, 0])
  }

  @Test func compounds() throws {
    let (all, none) = (Job.select(\.id), Job.none.select(\.id))
    #expect(try all.intersect(none).fetchAll(db) == [])
    #expect(try none.intersect(all).fetchAll(db) == [])
    #expect(try none.except(all).fetchAll(db) == [])
    #expect(try all.except(none).fetchAll(db) == [1, 2, 3])
    #expect(try none.union(all).fetchAll(db) == [1, 2, 3])
    // Whole rows, with or without `select`.
    #expect(try Job.find(1).union(Job.find(2).select { $0 }).fetchAll(db).map(\.id) == [1, 2])
    #expect(try Job.select { $0 }.except(Job.find(2)).fetchAll(db).map(\.id) == [1, 3])
    #expect(try Job.all.intersect(Job.find(2).select { $0 }).fetchAll(db).map(\.id) == [2])
    // A compound on the right, or a query with an order, becomes a subquery.
    #expect(try all.union(all.except(all)).fetchAll(db) == [1, 2, 3])
    #expect(
      try Job.top.select(\.id).union(Job.find(1).select(\.id)).fetchAll(db).sorted() == [1, 3])
  }

  @Test func joinsAndConditions() throws {
    let left: [(Job, Crew?)] = try Job.leftJoin(Crew.none) { $0.id == $1.jobID }.fetchAll(db)
    #expect(left.map(\.0.id) == [1, 2, 3] && left.allSatisfy { $0.1 == nil })
    let full = try Job.none.fullJoin(Crew.all) { $0.id == $1.jobID }.fetchAll(db)
    #expect(full.count == 2 && full.allSatisfy { $0.0 == nil })
    let right = try Job.none.rightJoin(Crew.all) { $0.id == $1.jobID }.fetchAll(db)
    #expect(right.map(\.1.id) == [1, 2] && right.allSatisfy { $0.0 == nil })
    #expect(try Job.rightJoin(Crew.none) { $0.id == $1.jobID }.fetchAll(db).isEmpty)
    let whole = try Job.fullJoin(Crew.none) { $0.id == $1.jobID }.fetchAll(db)
    #expect(whole.map(\.0?.id) == [1, 2, 3] && whole.allSatisfy { $0.1 == nil })
    #expect(try Job.none.fullJoin(Crew.none) { $0.id == $1.jobID }.fetchAll(db).isEmpty)
    #expect(try Job.none.leftJoin(Crew.all) { $0.id == $1.jobID }.fetchAll(db).isEmpty)
    // Joined tables without rows are an empty side too.
    let third = Job.join(Crew.none) { $0.id == $1.jobID }
    let kept = try third.rightJoin(Job.as(J.self)) { $0.id == $2.id }.fetchAll(db)
    #expect(kept.map(\.2.id) == [1, 2, 3] && kept.allSatisfy { $0.0 == nil && $0.1 == nil })
    let both = try third.fullJoin(Job.as(J.self)) { $0.id == $2.id }.fetchAll(db)
    #expect(both.map(\.2?.id) == [1, 2, 3] && both.allSatisfy { $0.0 == nil && $0.1 == nil })
    #expect(try Job.join(Crew.none) { $0.id == $1.jobID }.fetchAll(db).isEmpty)
    #expect(try (Job.where(\.isDone) && Job.none).fetchAll(db) == [])
    #expect(try (Job.none || Job.where(\.isDone)).fetchAll(db).map(\.id) == [2])
    #expect(try (!Job.none).fetchAll(db).count == 3)
    try Job.update(from: Crew.none) { job, _ in
      job.isDone = true
    } where: {
      $0.id == $1.jobID
    }
    .execute(db)
    #expect(try Job.where(\.isDone).fetchCount(db) == 1)
  }

  /// Conditions that are added to a change restrict the selected rows and select no others.
  @Test func changesOfChosenRows() throws {
    try Job.top.delete().where(\.isDone).execute(db)
    #expect(try Job.all.fetchCount(db) == 3)
    try Job.group(by: \.id).having { $0.id > 100 }.delete().execute(db)
    // Without groups SQLite rejects HAVING: the statement throws and nothing is deleted.
    #expect(throws: SQLiteError.self) { try Job.having { $0.id > 100 }.delete().execute(db) }
    #expect(try Job.all.fetchCount(db) == 3)
    try Job.update(from: Crew.order { $0.id.desc() }.limit(1)) { job, crew in
      job.isDone = true
    } where: {
      $0.id == $1.id
    }.execute(db)
    #expect(try Job.where(\.isDone).select(\.id).fetchAll(db) == [2])
    #expect(try Job.Draft.all.top.fetchAll(db).map(\.id) == [3])
  }

  /// A subquery in RETURNING, in a default scope and in an alias keeps its own columns.
  @Test func subselectsKeepTheirColumns() throws {
    let counted = Job.find(1).update { $0.isDone = true }.returning { job in
      (job.id, Crew.where { $0.jobID == job.id }.count)
    }
    let rows: [(Int, Int)] = try counted.fetchAll(db)
    #expect(rows.count == 1 && rows[0] == (1, 2))
    enum Other: AliasName {}
    let others =
      Job.as(Other.self).where { other in
        other.id.in(Job.unscoped.where { $0.id > other.id }.select(\.id)) || other.id == 1
      } && Job.where { $0.id < 3 }
    #expect(try others.select(\.id).fetchAll(db) == [1])
    let joined = Job.all.join(Job.as(Other.self).where { $0.id == 2 }) { $0.id < $1.id }
    #expect(try joined.select { first, _ in first.id }.fetchAll(db) == [1])
    #expect(try (Job.as(Other.self).select(\.id) + Job.select(\.isDone)).fetchAll(db).count == 3)
    let crews = Job.join(Crew.all) { $0.id == $1.jobID }
    let left = crews.select { job, _ in (job.id, job.isDone) }
    let right = crews.select { _, crew in (crew.id, crew.jobID) }
    #expect(try (left + right).fetchAll(db).count == 2)
  }
}
