import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Selection
struct AuthorCount: Equatable {
  let name: String
  let books: Int
}

@Selection
struct Chain: Equatable {
  let number: Int
}

@Selection
struct Shelved: Equatable {
  let title: String
  let author: Writer?
}

@Selection
struct Writer: Equatable {
  let id: Int
  let name: String
}

@Selection
struct Label: Equatable {
  let text: String
}

@DatabaseFunction
func shorten(_ text: String, to length: Int = 3) -> String { String(text.prefix(length)) }

struct Money: Equatable, QueryBindable {
  var cents: Int
  var queryBinding: QueryBinding { .int(Int64(cents)) }

  init(cents: Int) { self.cents = cents }
  init(decoder: inout some QueryDecoder) throws { cents = try Int(decoder: &decoder) }
}

struct Isbn: Equatable {
  var digits: [Int]

  struct TextRepresentation: QueryBindable {
    var queryOutput: Isbn
    var queryBinding: QueryBinding { .text(queryOutput.digits.map(String.init).joined()) }

    init(queryOutput: Isbn) { self.queryOutput = queryOutput }
    init(decoder: inout some QueryDecoder) throws {
      let text = try String(decoder: &decoder)
      queryOutput = Isbn(digits: text.compactMap(\.wholeNumberValue))
    }
  }
}

@Table
struct Edition: Equatable {
  let id: Int
  var price: Money
  var discount: Money?
  @Column(as: Isbn.TextRepresentation.self) var isbn: Isbn
}

extension Book.TableColumns {
  var isLong: some QueryExpression<Bool> { pages > 200 }
}

/// The examples of the query builder's articles, verbatim.
@Suite struct QueryArticlesTests {
  let db: Connection
  init() throws { db = try Library.database() }

  @Test func selecting() throws {
    let long = Book.where { $0.pages > 100 && !$0.isRead }
      .order { ($0.pages.desc(), $0.title) }
      .limit(10)
    let books = try long.fetchAll(db)
    #expect(books.map(\.title) == ["Trees", "Engines"])

    let short = try Book.where { !$0.isLong && !$0.isRead }.fetchAll(db)
    #expect(short.map(\.title) == ["Engines"])

    let titles = try Book.select { ($0.title, $0.pages / 2) }.fetchAll(db)
    #expect(titles.first?.1 == 60)

    let counts = try Author.leftJoin(Book.all) { $0.id.eq($1.authorID) }
      .group { author, _ in author.id }
      .select { AuthorCount.Columns(name: $0.name, books: $1.count()) }
      .fetchAll(db)
    #expect(counts == [AuthorCount(name: "Ada", books: 2), AuthorCount(name: "Bo", books: 1)])

    let loans = try Book.leftJoin(Author.all) { $0.authorID.eq($1.id) }
      .select { book, author in
        Shelved.Columns(
          title: book.title,
          author: author.map { Writer.Columns(id: $0.id, name: $0.name) })
      }
      .fetchAll(db)
    #expect(loans.first == Shelved(title: "Engines", author: Writer(id: 1, name: "Ada")))

    let names = try Author.select { Label.Columns(text: $0.name) }
      .union(Book.select { Label.Columns(text: $0.title) })
      .order { $0.text.desc() }
      .limit(3)
      .fetchAll(db)
    #expect(names.map(\.text) == ["Trees", "Notes", "Engines"])

    let search = "e"
    let found = Book.where {
      if !search.isEmpty { $0.title.contains(search) }
    }
    #expect(try found.fetchCount(db) == 3)

    enum Other: AliasName {}
    let first = Book.where { book in
      !Book.as(Other.self).where { $0.authorID == book.authorID && $0.id < book.id }.exists()
    }
    #expect(try first.fetchCount(db) == 2)
  }

  @Test func groupsAndWindows() throws {
    let busy = try Author.join(Book.all) { $0.id == $1.authorID }
      .group { author, _ in author.id }
      .having { _, book in book.count() > 1 }
      .select { author, book in (author.name, book.pages.sum()) }
      .fetchAll(db)
    #expect(busy.map(\.0) == ["Ada"] && busy.map(\.1) == [200])
    let ranked =
      try Book
      .select { ($0.title, rowNumber().over(partitionBy: $0.authorID, orderBy: $0.pages.desc())) }
      .order(by: \.id)
      .fetchAll(db)
    #expect(ranked.map(\.1) == [1, 2, 1])
  }

  @Test func representations() throws {
    try Edition.insert {
      Edition.Draft(price: Money(cents: 1_990), isbn: Isbn(digits: [9, 7, 8]))
    }
    .execute(db)
    try Edition.where { $0.price > Money(cents: 1_000) }
      .update { $0.discount = Money(cents: 200) }
      .execute(db)
    let isbns = try Edition.where { $0.isbn.eq(Isbn(digits: [9, 7, 8])) }
      .select(\.isbn)
      .fetchAll(db)
    #expect(isbns == [Isbn(digits: [9, 7, 8])])
    #expect(try Edition.select(\.discount).fetchOne(db) == Money(cents: 200))
  }

  @Test func inserting() throws {
    let ids = try Book.insert {
      Book.Draft(title: "Rivers", authorID: 2)
      Book.Draft(title: "Hills", pages: 90)
    }
    .returning(\.id)
    .fetchAll(db)
    #expect(ids == [4, 5])

    try Book.find(1).update {
      $0.pages += 10
      $0.genre = .essay
    }
    .execute(db)
    try Book.where(\.isRead).delete().execute(db)
    #expect(try Book.find(1).fetchOne(db)?.pages == 130)

    try Book.insert {
      Book.Draft(title: "Trees", pages: 310)
    } onConflict: {
      $0.title
    } doUpdate: {
      $0.pages = $1.pages
    }
    .execute(db)
    #expect(try Book.find(3).fetchOne(db)?.pages == 310)

    try Book.insert {
      ($0.title, $0.pages)
    } values: {
      ("Woods", 120)
      ("Lakes", 80)
    }
    .execute(db)
    #expect(try Book.where { $0.title == "Lakes" }.select(\.pages).fetchAll(db) == [80])
  }

  @Test func commonTables() throws {
    let numbers = With {
      Chain(number: 1).union(all: true, Chain.select { Chain.Columns(number: $0.number * 2) })
    } query: {
      Chain.select(\.number).limit(5)
    }
    #expect(try numbers.fetchAll(db) == [1, 2, 4, 8, 16])
  }

  @Test func triggers() throws {
    let touch = Book.createTemporaryTrigger(after: .update(touch: \.changedAt))
    let refuse = Book.createTemporaryTrigger(
      "books_keep_unread",
      before: .delete { _ in
        Raise(.abort, "read it first")
      } when: { old in
        !old.isRead
      })
    try [touch, refuse].execute(db)
    try Book.find(1).update { $0.pages = 1 }.execute(db)
    #expect(try Book.find(1).fetchOne(db)?.changedAt != nil)
    let error = #expect(throws: SQLiteError.self) { try Book.delete().execute(db) }
    #expect(error?.message == "read it first")
  }

  @Test func search() throws {
    try BookText.createTemporaryTriggers(syncing: Book.self) { book in
      BookText.Columns(rowid: book.rowid, title: book.title)
    }
    .execute(db)
    try Book.insert { Book.Draft(title: "Old growth forests") }.execute(db)

    let typed = #"forests" gro"#
    let words = typed.split(separator: " ").map(String.init)
    let pattern = SearchPattern(allOf: words, lastIsPrefix: true)
    let hits = try BookText.where { if let pattern { $0.match(pattern) } }
      .order(by: \.rank)
      .select { $0.title.highlight("<b>", "</b>") }
      .fetchAll(db)
    #expect(hits == ["Old <b>growth</b> <b>forests</b>"])
  }

  @Test func functions() throws {
    db.add(function: $shorten)
    let short = try Book.select { $shorten($0.title, to: 2) }.fetchAll(db)
    #expect(short == ["En", "No", "Tr"])
  }
}
