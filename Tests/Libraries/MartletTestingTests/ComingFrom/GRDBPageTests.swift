import Foundation
import Martlet
import MartletTesting
import TestSupport
import Testing

@Table
struct Artist: Equatable, Identifiable {
  let id: Int
  var name: String
  var country: String?
}

@Table
struct Album: Equatable, Identifiable {
  let id: Int
  var artistID: Artist.ID
  var title: String
  var year: Int?
  var plays = 0
}

@Table
struct AlbumText: FTS5 {
  let rowid: Int
  let title: String
}

enum Music {
  static var migrator: Migrator {
    var migrator = Migrator()
    migrator.registerMigration("artists and albums") { db in
      try db.execute(
        """
        CREATE TABLE artists (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT) STRICT;
        CREATE TABLE albums (
          id INTEGER PRIMARY KEY,
          artistID INTEGER NOT NULL REFERENCES artists (id) ON DELETE CASCADE,
          title TEXT NOT NULL UNIQUE, year INTEGER, plays INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE VIRTUAL TABLE albumTexts USING fts5(title);
        """)
    }
    return migrator
  }

  static func open(_ path: String) throws -> EmbeddedDatabase {
    try migrator.migrate(path: path)
    var configuration = Configuration()
    configuration.prepareSchema { db in
      try AlbumText.createTemporaryTriggers(syncing: Album.self) { album in
        AlbumText.Columns(rowid: album.rowid, title: album.title)
      }
      .execute(db)
    }
    return try EmbeddedDatabase(path: path, configuration: configuration)
  }
}

@Selection
struct AlbumRow: Equatable {
  let title: String
  let artist: String
}

extension ComingFrom {
  @Suite("The page for users of GRDB and SQLite.swift", .timeLimit(.minutes(10)))
  struct GRDBPageTests {
    private let folder: MartletTesting.TemporaryFolder
    private let database: EmbeddedDatabase

    init() throws {
      folder = try MartletTesting.TemporaryFolder()
      database = try Music.open(folder.file("music.db"))
    }

    /// Two artists with three albums, and an artist without one.
    private func fill() throws {
      try database.write { db in
        try db.seed {
          Artist(id: 1, name: "Nina", country: "US")
          Artist(id: 2, name: "Kraftwerk", country: "DE")
          Artist(id: 3, name: "Unknown", country: nil)
          Album(id: 1, artistID: 1, title: "Pastel Blues", year: 1965, plays: 12)
          Album(id: 2, artistID: 1, title: "High Priestess", year: 1967, plays: 3)
          Album(id: 3, artistID: 2, title: "Computerwelt", year: 1981, plays: 7)
        }
      }
    }

    @Test("Each Martlet block of the page is code of this file")
    func blocks() throws {
      let blocks = try CodeBlocks.of(page: "docs/coming-from-grdb.md")
      #expect(blocks.count >= 10)
      for block in blocks {
        #expect(try CodeBlocks.contains(block, in: #filePath), "\(block)")
      }
    }

    @Test("A row is inserted and its ID returned")
    func insert() async throws {
      let id = try await database.write { db in
        try Artist.insert { Artist.Draft(name: "Nina", country: "US") }
          .returning(\.id)
          .fetchOne(db)
      }
      #expect(id == 1)
    }

    @Test("Rows are fetched by key and by condition")
    func fetch() async throws {
      try fill()
      let country: String? = "DE"
      let (album, maybe, popular, unknown, found) = try await database.read { db in
        let album = try Album.find(db, key: 1)  // throws NotFound if there is no such row
        let maybe = try Album.find(9).fetchOne(db)
        let popular = try Album.where { $0.plays > 5 && $0.title.hasPrefix("P") }.fetchAll(db)
        let unknown = try Artist.where { $0.country == nil }.fetchAll(db)
        let found = try Artist.where {
          if let country { $0.country == country }
        }
        .fetchAll(db)
        return (album, maybe, popular, unknown, found)
      }
      #expect(album.title == "Pastel Blues")
      #expect(maybe == nil)
      #expect(popular.map(\.id) == [1])
      #expect(unknown.map(\.name) == ["Unknown"])
      #expect(found.map(\.name) == ["Kraftwerk"])
    }

    @Test("Rows are sorted and paged")
    func page() async throws {
      try fill()
      let (first, next) = try await database.read { db in
        let first = try Album.order { ($0.plays.desc(), $0.id) }.limit(2).fetchAll(db)
        let last = first[1]
        let next = try Album.where {
          $0.plays < last.plays || ($0.plays == last.plays && $0.id > last.id)
        }
        .order { ($0.plays.desc(), $0.id) }
        .limit(2)
        .fetchAll(db)
        return (first, next)
      }
      #expect(first.map(\.id) == [1, 3])
      #expect(next.map(\.id) == [2])
    }

    @Test("A route pages by cursor")
    func route() throws {
      let albums = Route.read("/albums", audience: .everyone) { request, _ in
        var parameters = QueryParameters.ofRead(request)
        let page = try parameters.page(of: "albums")
        try parameters.finish()
        return try LiveSource(
          request, page, of: Album.all, by: [Album.columns.plays, Album.columns.id],
          descending: true)
      }
      let service = try TestService(
        Service(path: "", migrator: Music.migrator, routes: [albums]))
      try service.database.write { db in
        try db.seed {
          Artist(id: 1, name: "Nina", country: "US")
          Album(id: 1, artistID: 1, title: "Pastel Blues", plays: 12)
          Album(id: 2, artistID: 1, title: "High Priestess", plays: 30)
        }
      }
      let first = try service.get("/albums?limit=1").value
      #expect(first["items"]?[0]?["id"]?.int64 == 2)
      let cursor = try #require(first["nextCursor"]?.string)
      let second = try service.get("/albums?limit=1&cursor=\(cursor)").value
      #expect(second["items"]?[0]?["id"]?.int64 == 1)
    }

    @Test("Tables are joined, and columns chosen")
    func join() async throws {
      try fill()
      let rows = try await database.read { db in
        try Album.join(Artist.all) { $0.artistID == $1.id }
          .where { album, _ in album.plays > 5 }
          .order { album, _ in album.title }
          .select { AlbumRow.Columns(title: $0.title, artist: $1.name) }
          .fetchAll(db)
      }
      #expect(rows.map(\.title) == ["Computerwelt", "Pastel Blues"])
      #expect(rows.map(\.artist) == ["Kraftwerk", "Nina"])
    }

    @Test("Rows are grouped")
    func group() async throws {
      try fill()
      let (count, plays, perArtist) = try await database.read { db in
        let count = try Album.where { $0.plays > 5 }.fetchCount(db)
        let plays = try Album.select { $0.plays.total() }.fetchOne(db) ?? 0
        let perArtist = try Artist.leftJoin(Album.all) { $0.id.eq($1.artistID) }
          .group { artist, _ in artist.id }
          .order { artist, _ in artist.id }
          .select { artist, album in (artist.name, album.count(), album.year.max()) }
          .fetchAll(db)
        return (count, plays, perArtist)
      }
      #expect(count == 2)
      #expect(plays == 22)
      #expect(perArtist.map(\.0) == ["Nina", "Kraftwerk", "Unknown"])
      #expect(perArtist.map(\.1) == [2, 1, 0])
      #expect(perArtist.map(\.2) == [1967, 1981, nil])
    }

    @Test("Rows are updated and upserted")
    func update() async throws {
      try fill()
      try await database.write { db in
        try Album.find(1).update {
          $0.plays += 1
          $0.year = 1965
        }
        .execute(db)
        try Album.where { $0.year < 1970 }.update { $0.plays += 100 }.execute(db)
        try Album.upsert {
          Album.Draft(id: 3, artistID: 2, title: "Computer World", year: 1981, plays: 8)
        }
        .execute(db)
        try Album.insert {
          Album.Draft(artistID: 2, title: "Computer World", plays: 1)
        } onConflict: {
          $0.title
        } doUpdate: {
          $0.plays += $1.plays
        }
        .execute(db)
      }
      let albums = try await database.read { try Album.order(by: \.id).fetchAll($0) }
      #expect(albums.map(\.title) == ["Pastel Blues", "High Priestess", "Computer World"])
      #expect(albums.map(\.plays) == [113, 103, 9])
    }

    @Test("A transaction is undone as a whole")
    func transaction() async throws {
      try fill()
      var isDuplicate = false
      do {
        try await database.write { db in
          try Artist.find(1).delete().execute(db)
          try Album.insert { Album.Draft(artistID: 2, title: "Computerwelt") }.execute(db)
        }
      } catch let error as SQLiteError where error.constraint == .unique {
        isDuplicate = true  // the artist still exists
      }
      #expect(isDuplicate)
      try await database.write { db in
        try Artist.find(3).delete().execute(db)
        try? db.savepoint {
          try Album.insert { Album.Draft(artistID: 2, title: "Computerwelt") }.execute(db)
        }
        db.afterCommit { print("the artist is deleted") }
      }
      let names = try await database.read { try Artist.select(\.name).fetchAll($0) }
      #expect(names == ["Nina", "Kraftwerk"])
      #expect(try await database.read { try Album.all.fetchCount($0) } == 3)
    }

    @Test("A query is observed")
    func observe() async throws {
      try fill()
      let database = database
      let observer = Task {
        for try await albums in database.values(of: Album.where { $0.plays > 5 }) {
          print("\(albums.count) albums")
          if albums.isEmpty { break }
        }
      }
      @FetchOne(Album.count(), database: database) var count = 0
      try await $count.load()
      #expect(count == 3)
      try await database.write { try Album.all.delete().execute($0) }
      try await observer.value
      for await value in $count.values where value == 0 { break }
      #expect(count == 0)
    }

    @Test("Another program's commit is observed")
    func otherProgram() async throws {
      try fill()
      let observer = Task { [database] in
        for try await count in database.values(ofFirst: Album.count()) where count == 2 { return }
      }
      let other = try Connection(location: .file(folder.file("music.db")))
      try other.execute("DELETE FROM albums WHERE id = 3")
      try await observer.value
    }

    @Test("SQL is written by hand, and full-text tables are searched")
    func rawSQL() async throws {
      try fill()
      let glob = "P*"
      let typed = "pastel blu"
      let (albums, years, hits) = try await database.read { db in
        let albums = try #sql(
          "SELECT \(Album.columns) FROM \(Album.self) WHERE \(Album.title) GLOB \(bind: glob)",
          as: Album.self
        )
        .fetchAll(db)
        let years = try db.query("SELECT year FROM albums WHERE plays > ?", [.integer(5)])
          .map { $0[0].integer }
        let words = typed.split(separator: " ").map(String.init)
        let pattern = SearchPattern(allOf: words, lastIsPrefix: true)
        let hits = try AlbumText.where { if let pattern { $0.match(pattern) } }
          .order(by: \.rank)
          .select { $0.title.highlight("[", "]") }
          .fetchAll(db)
        return (albums, years, hits)
      }
      #expect(albums.map(\.id) == [1])
      #expect(years == [1965, 1981])
      #expect(hits == ["[Pastel] [Blues]"])
    }

    @Test("A condition is an expression, which prints as SQL")
    func conditions() throws {
      func sql(_ query: some MartletQueryBuilder.Statement) -> String {
        query.query.fragment.prepare().sql
      }
      #expect(
        sql(Artist.where { $0.country == nil }.select(\.id))
          == #"SELECT "artists"."id" FROM "artists" WHERE ("artists"."country" IS ?)"#)
      #expect(
        sql(Artist.where { $0.country != "DE" }.select(\.id))
          == #"SELECT "artists"."id" FROM "artists" WHERE ("artists"."country" IS NOT ?)"#)
    }
  }
}
