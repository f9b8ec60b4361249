import Martlet
import MartletTesting
import Synchronization
import Testing

@Table private struct Thing {
  let id: Int
  var rank: Int?
  var name: String
}

@Selection private struct NameCount {
  let name: String
  let things: Int
}

@Suite("Pages of a list") struct PageTests {
  private struct Item: Decodable { var id: Int }
  private struct List: Decodable {
    var items: [Item]
    var nextCursor: String?
  }

  private func service(
    _ routes: [Route], _ tell: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> TestService {
    var migrator = Migrator()
    migrator.registerMigration("things") {
      try $0.execute(
        """
        CREATE TABLE things (id INTEGER PRIMARY KEY, rank INTEGER, name TEXT NOT NULL COLLATE NOCASE)
        """)
    }
    var made = Service(path: "", migrator: migrator, routes: routes)
    made.onEvent = { if case .request(.failed(_, _, let error)) = $0 { tell("\(error)") } }
    let service = try TestService(made)
    try service.database.write { db in
      for (rank, name) in [
        (1, "b"), (nil, "A"), (2, "a"), (nil, "B"), (2, "c"), (nil, "C"), (3, "a"),
      ] as [(Int?, String)] {
        try Thing.insert { Thing.Draft(rank: rank, name: name) }.execute(db)
      }
    }
    return service
  }

  private func route(
    _ path: String, _ keys: [any QueryExpressible & Sendable], descending: Bool = false,
    name: String = "things", limits: ClosedRange<Int> = 1...100, default usual: Int = 20,
    of rows: @escaping @Sendable () -> Select<Thing.TableColumns, Thing, ()> = {
      Thing.where { $0.id > 0 }
    }
  ) -> Route {
    .read(path) { request, _ in
      var parameters = QueryParameters.ofRead(request)
      let page = try parameters.page(of: name, limits: limits, default: usual)
      try parameters.finish()
      return try LiveSource(request, page, of: rows(), by: keys, descending: descending)
    }
  }

  private func ids(_ service: TestService, _ path: String, limit: Int) throws -> [Int] {
    var ids: [Int] = []
    var cursor: String?
    repeat {
      let next = cursor.map { "&cursor=\($0)" } ?? ""
      let page = try service.get("\(path)?limit=\(limit)\(next)").decode(List.self)
      ids += page.items.map(\.id)
      cursor = page.nextCursor
    } while cursor != nil && ids.count < 100
    return ids
  }

  @Test("Rows with NULL and with another case are on one page each, in both directions")
  func nulls() throws {
    let columns = Thing.columns
    let cases: [(String, [any QueryExpressible & Sendable], String)] = [
      ("/rank", [columns.rank, columns.id], "rank, id"),
      ("/name", [columns.name, columns.rank, columns.id], "name, rank, id"),
      ("/both", [columns.rank, columns.name, columns.id], "rank, name, id"),
    ]
    let service = try service(
      cases.flatMap { [route($0.0, $0.1), route($0.0 + "-down", $0.1, descending: true)] })
    for (path, _, order) in cases {
      for (suffix, direction) in [("", "ASC"), ("-down", "DESC")] {
        let terms = order.split(separator: ", ").map { "\($0) \(direction)" }
        let wanted = try service.database.read { db in
          try db.rows("SELECT id FROM things ORDER BY \(terms.joined(separator: ", "))")
            .map { Int($0[0].integer ?? 0) }
        }
        for limit in 1...8 {
          #expect(
            try ids(service, path + suffix, limit: limit) == wanted, "\(path)\(suffix) \(limit)")
        }
      }
    }
  }

  @Test("A cursor of another order or direction is refused, and limits hold")
  func cursors() throws {
    let (id, name) = (Thing.columns.id, Thing.columns.name)
    let service = try service([
      route("/up", [id]), route("/down", [id], descending: true), route("/names", [name, id]),
      route("/any", [id], limits: 1...Int.max), route("/few", [id], limits: 1...3),
    ])
    let cursor = try service.get("/up?limit=1").decode(List.self).nextCursor ?? ""
    #expect(try service.get("/up?cursor=\(cursor)").decode(List.self).items.first?.id == 2)
    for path in ["/down", "/names"] {
      #expect(try service.get("\(path)?cursor=\(cursor)").problem == "invalid-cursor")
    }
    #expect(try service.get("/any?limit=\(Int.max)").decode(List.self).items.count == 7)
    #expect(try service.get("/few").decode(List.self).items.count == 3)
  }

  @Test("A grouped query has pages of its groups, also in the order of an aggregate")
  func groups() throws {
    let name = Thing.columns.name
    let count = Thing.columns.id.count()
    func route(_ path: String, _ keys: [any QueryExpressible & Sendable], descending: Bool) -> Route
    {
      .read(path) { request, _ in
        var parameters = QueryParameters.ofRead(request)
        let page = try parameters.page(of: path)
        try parameters.finish()
        return try LiveSource(
          request, page,
          of: Thing.where { $0.id > 1 }.group(by: \.name).having { $0.id.count() > 0 }
            .select { NameCount.Columns(name: $0.name, things: $0.id.count()) },
          by: keys, descending: descending)
      }
    }
    let service = try service([
      route("/names", [name], descending: false),
      route("/counts", [count, name], descending: false),
      route("/counts-down", [count, name], descending: true),
    ])
    // Without the first row: A, a, a are three of one group, B is one, c and C are two.
    let wanted = [("/names", [3, 1, 2]), ("/counts", [1, 2, 3]), ("/counts-down", [3, 2, 1])]
    for (path, things) in wanted {
      for limit in 1...4 {
        var found: [Int] = []
        var cursor: String?
        repeat {
          let next = cursor.map { "&cursor=\($0)" } ?? ""
          let page = try service.get("\(path)?limit=\(limit)\(next)").value
          found += (page["items"]?.array ?? []).compactMap { $0["things"]?.int64.map { Int($0) } }
          cursor = page["nextCursor"]?.string
        } while cursor != nil && found.count < 100
        #expect(found == things, "\(path) \(limit)")
      }
    }
    let stream = try service.stream("/counts?limit=1")
    try stream.next()
    try service.database.write { try Thing.find(4).delete().execute($0) }
    try stream.wait { $0["items"]?[0]?["things"]?.int64 == 2 }
  }

  @Test("Mistakes of the program are errors that name them")
  func mistakes() throws {
    let id = Thing.columns.id
    let queries: [(String, @Sendable () -> Select<Thing.TableColumns, Thing, ()>)] = [
      ("LIMIT", { Thing.limit(3) }), ("ORDER BY", { Thing.order(by: \.name) }),
      ("DISTINCT", { Thing.where { $0.id > 0 }.distinct() }),
      ("HAVING", { Thing.having { $0.id.count() > 1 } }),
    ]
    let told = Mutex<[String]>([])
    let service = try service(
      queries.enumerated().map { route("/\($0)", [id], of: $1.1) } + [
        route("/none", []), route("/long", [Thing.columns.name, id], name: "long"),
      ]
    ) { error in told.withLock { $0.append(error) } }
    for (index, (clause, _)) in queries.enumerated() {
      #expect(try service.get("/\(index)").status == 500)
      #expect(told.withLock { $0.last }?.contains("its own \(clause)") == true)
    }
    #expect(try service.get("/none").status == 500)
    #expect(told.withLock { $0.last }?.contains("at least one sort key") == true)
    let long = String(repeating: "x", count: 7_000)
    try service.database.write { db in
      _ = try Thing.insert { Thing.Draft(rank: 1, name: "0" + long) }.execute(db)
    }
    #expect(try service.get("/long?limit=1").status == 500)
    #expect(try service.get("/long?limit=8").status == 200)
  }
}
