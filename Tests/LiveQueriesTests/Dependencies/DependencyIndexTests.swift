import Store
import Testing

@testable import LiveQueries

@Suite("Which queries a commit touches")
struct DependencyIndexTests {
  private func notice(_ tables: String..., everything: Bool = false) -> CommitNotice {
    var notice = CommitNotice(number: 1, everything: everything)
    for table in tables { notice.tables[table] = TableChanges() }
    return notice
  }

  @Test("Only those that read a changed table")
  func byTable() {
    var index = DependencyIndex()
    index.set(Dependencies(tables: ["reminders", "tags"]), for: 1)
    index.set(Dependencies(tables: ["remindersLists"]), for: 2)
    #expect(index.touched(by: notice("tags")) == [1])
    #expect(index.touched(by: notice("remindersLists", "tags")) == [1, 2])
    #expect(index.touched(by: notice("elsewhere")).isEmpty)
    #expect(index.touched(by: notice()).isEmpty)
  }

  @Test("A query that has not run yet may read anything")
  func unknown() {
    var index = DependencyIndex()
    index.add(1)
    #expect(index.touched(by: notice("tags")) == [1])
    index.set(Dependencies(tables: ["reminders"]), for: 1)
    #expect(index.touched(by: notice("tags")).isEmpty)
  }

  @Test("A commit that may have changed anything touches all")
  func everything() {
    var index = DependencyIndex()
    index.set(Dependencies(tables: ["reminders"]), for: 1)
    index.set(Dependencies(), for: 2)
    #expect(index.touched(by: notice(everything: true)) == [1, 2])
  }

  @Test("New dependencies replace the old ones, and a removed query is forgotten")
  func replacing() {
    var index = DependencyIndex()
    index.set(Dependencies(tables: ["a"]), for: 1)
    index.set(Dependencies(tables: ["b"]), for: 1)
    #expect(index.touched(by: notice("a")).isEmpty)
    #expect(index.touched(by: notice("b")) == [1])
    index.remove(1)
    #expect(index.touched(by: notice("b")).isEmpty)
    #expect(index.touched(by: notice(everything: true)).isEmpty)
  }
}
