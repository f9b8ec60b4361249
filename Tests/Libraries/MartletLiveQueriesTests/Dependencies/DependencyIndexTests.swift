import MartletSQLite
import MartletStore
import Testing

@testable import MartletLiveQueries

@Suite("The queries that a commit touches")
struct DependencyIndexTests {
  private func notice(_ tables: String..., everything: Bool = false) -> CommitNotification {
    var notice = CommitNotification(number: 1, everything: everything)
    for table in tables { notice.tables[table] = .anyRow }
    return notice
  }

  @Test("A commit touches only queries that read a changed table")
  func byTable() {
    var index = DependencyIndex(Watch())
    index.set(Dependencies(tables: ["reminders": .init(), "tags": .init()]), for: 1)
    index.set(Dependencies(tables: ["remindersLists": .init()]), for: 2)
    #expect(index.touched(by: notice("tags")) == [1])
    #expect(index.touched(by: notice("remindersLists", "tags")) == [1, 2])
    #expect(index.touched(by: notice("elsewhere")).isEmpty)
    #expect(index.touched(by: notice()).isEmpty)
  }

  @Test("A query with unknown dependencies is touched by every commit that changes something")
  func unknown() {
    var index = DependencyIndex(Watch())
    index.set(.unknown, for: 1)
    #expect(index.touched(by: notice("tags")) == [1])
    #expect(index.touched(by: notice()).isEmpty)
    index.set(Dependencies(tables: ["reminders": .init()]), for: 1)
    #expect(index.touched(by: notice("tags")).isEmpty)
  }

  @Test("A commit that may have changed anything touches all queries")
  func everything() {
    var index = DependencyIndex(Watch())
    index.set(Dependencies(tables: ["reminders": .init()]), for: 1)
    index.set(Dependencies(), for: 2)
    #expect(index.touched(by: notice(everything: true)) == [1, 2])
  }

  @Test("New dependencies replace the old ones, and a removed query is not touched")
  func replacing() {
    var index = DependencyIndex(Watch())
    let pin = Dependencies.Pin("id", ValueKey(integer: 7))
    let isNew = [
      index.set(Dependencies(tables: ["a": .init(pins: [pin])]), for: 1),
      index.set(Dependencies(tables: ["a": .init(pins: [pin])]), for: 1),
      index.set(Dependencies(tables: ["b": .init()]), for: 1),
    ]
    #expect(isNew == [true, false, true])
    #expect(index.touched(by: notice("a")).isEmpty)
    #expect(index.touched(by: notice("b")) == [1])
    index.remove(1)
    #expect(index.touched(by: notice("b")).isEmpty)
    #expect(index.touched(by: notice(everything: true)).isEmpty)
  }

  /// Two queries of one table: one reads `title`, the other one counts rows.
  private func readers(_ watch: Watch) -> DependencyIndex {
    var index = DependencyIndex(watch)
    index.set(Dependencies(tables: ["t": .init(columns: ["title"])]), for: 1)
    index.set(Dependencies(tables: ["t": .init(columns: [])]), for: 2)
    return index
  }

  private func update(columns: UInt64, columnCount: Int) -> CommitNotification {
    let row = TableChanges.RowChange(
      operation: .update, oldRowID: 1, newRowID: 1, columns: columns)
    return CommitNotification(
      number: 1, everything: false,
      tables: ["t": TableChanges(rows: [row], columnCount: columnCount)])
  }

  @Test("An update touches readers of the changed columns; an insert touches all of the table")
  func byColumn() {
    let watch = Watch()
    let index = readers(watch)
    #expect(watch.column("title", of: "t") == 0 && watch.column("notes", of: "t") == 1)
    #expect(index.touched(by: update(columns: 1, columnCount: 2)) == [1])
    #expect(index.touched(by: update(columns: 2, columnCount: 2)).isEmpty)
    let row = TableChanges.RowChange(operation: .insert, oldRowID: 1, newRowID: 1)
    let insert = CommitNotification(
      number: 1, everything: false, tables: ["t": TableChanges(rows: [row], columnCount: 2)])
    #expect(index.touched(by: insert) == [1, 2])
  }

  @Test("A column that was not yet watched when the transaction began counts as changed")
  func columnsWatchedLater() {
    let index = readers(Watch())
    #expect(index.touched(by: update(columns: 0, columnCount: 0)) == [1])
    #expect(index.touched(by: update(columns: 0, columnCount: 1)).isEmpty)
  }

  @Test("A pinned query is touched by rows that have or had its value")
  func byValue() {
    let watch = Watch()
    var index = DependencyIndex(watch)
    for list in 1...3 {
      index.set(
        Dependencies(tables: [
          "t": .init(
            columns: ["title", "list"], pins: [.init("list", ValueKey(integer: Int64(list)))])
        ]), for: UInt64(list))
    }
    func change(
      _ operation: TableChanges.Operations, columns: UInt64, from old: Int64, to new: Int64,
      keyCount: Int = 1
    ) -> Set<UInt64> {
      let row = TableChanges.RowChange(
        operation: operation, oldRowID: 1, newRowID: 1, columns: columns)
      let keys = keyCount == 0 ? [] : [ValueKey(integer: old), ValueKey(integer: new)]
      return index.touched(
        by: CommitNotification(
          number: 1, everything: false,
          tables: [
            "t": TableChanges(rows: [row], columnCount: 2, keyCount: keyCount, keys: keys)
          ]))
    }
    let title = UInt64(1) << UInt64(watch.column("title", of: "t") ?? 0)
    let list = UInt64(1) << UInt64(watch.column("list", of: "t") ?? 0)
    #expect(change(.update, columns: title, from: 2, to: 2) == [2])
    #expect(change(.update, columns: list, from: 2, to: 3) == [2, 3])
    #expect(change(.update, columns: 0, from: 2, to: 2).isEmpty)
    #expect(change(.insert, columns: .max, from: 9, to: 9).isEmpty)
    #expect(change(.delete, columns: .max, from: 1, to: 1) == [1])
    // The key was not watched when the transaction began.
    #expect(change(.update, columns: title, from: 2, to: 2, keyCount: 0) == [1, 2, 3])
    #expect(index.touched(by: notice("t")) == [1, 2, 3])
  }
}
