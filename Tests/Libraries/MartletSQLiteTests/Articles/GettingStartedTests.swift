import MartletSQLite
import TestSupport
import Testing

/// The examples of MartletSQLite's article for newcomers.
@Suite struct GettingStartedTests {
  @Test("The article's statements and functions work as described") func statements() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("articles.db")
    let db = try Connection(location: .file(path))
    try db.execute(
      "CREATE TABLE articles (id INTEGER PRIMARY KEY, title TEXT NOT NULL, views INTEGER NOT NULL)")

    let insert = try db.prepare(sql: "INSERT INTO articles (title, views) VALUES (?, ?)")
    for (title, views) in [("Hello, World!", 12), ("Second Thoughts", 3)] {
      try insert.bind([.text(title), .integer(views)])
      try insert.run()
    }

    var titles: [Int64: String] = [:]
    let popular = try db.prepare(sql: "SELECT id, title FROM articles WHERE views >= ?")
    try popular.bind(10, at: 1)
    while try popular.step() {
      titles[popular.int64(at: 0)] = popular.text(at: 1)
    }
    #expect(titles == [1: "Hello, World!"])

    let total = try db.value("SELECT sum(views) FROM articles")
    let rows = try db.rows("SELECT title, views FROM articles WHERE id = ?", 2)
    try db.run("UPDATE articles SET views = views + ? WHERE title = ?", 1, "Hello, World!")
    #expect(total == 15 && rows.map(\.values) == [["Second Thoughts", 3]])
    #expect(try db.value("SELECT views FROM articles WHERE id = 1") == 13)

    var problem = ""
    do throws(SQLiteError) {
      try db.run("INSERT INTO articles (title, views) VALUES (?, ?)", nil, 0)
    } catch {
      problem = error.isConstraint ? error.message : "unexpected: \(error)"
    }
    #expect(problem == "NOT NULL constraint failed: articles.title")

    try db.addFunction("slugify", argumentCount: 1, options: [.deterministic, .innocuous]) { args in
      guard let title = args[0] as String? else { return nil }
      return title.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }
    let slugs = try db.rows("SELECT slugify(title) FROM articles ORDER BY id")
    #expect(slugs.map { $0[0] } == ["hello-world", "second-thoughts"])

    try db.addAggregate(
      "longest", argumentCount: 1, initial: { "" },
      step: { longest, args in
        if let title = args[0] as String?, title.count > longest.count { longest = title }
      }, finalize: { $0 })
    let longest = try db.value("SELECT longest(title) FROM articles")
    #expect(longest == "Second Thoughts")
  }

  @Test("Every example of the article is in this file") func examples() throws {
    let blocks = try CodeBlocks.of(
      page: "Sources/Libraries/MartletSQLite/MartletSQLite.docc/GettingStarted.md")
    #expect(blocks.count == 8)
    for block in blocks { #expect(try CodeBlocks.contains(block, in: #filePath), "\(block)") }
  }
}
