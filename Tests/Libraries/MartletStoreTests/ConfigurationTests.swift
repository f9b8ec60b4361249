import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@DatabaseFunction(isDeterministic: true)
private func doubled(_ number: Int) -> Int { number * 2 }

@Suite struct ConfigurationTests {
  let file: TemporaryFile

  init() throws { file = try TemporaryFile() }

  @Test func everyConnectionIsPrepared() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in db.add(function: $doubled) }
    configuration.prepareDatabase { db in
      // The closures run in order, so the function exists.
      try db.execute("CREATE TEMP TABLE prepared AS SELECT doubled(4) AS number")
    }
    let database = try EmbeddedDatabase(path: file.path, configuration: configuration)
    #expect(try database.write { try $0.value("SELECT doubled(2)") } == 4)
    #expect(try database.read { try $0.value("SELECT doubled(number) FROM prepared") } == 16)
  }

  @Test(arguments: [true, false])
  func foreignKeys(areEnabled: Bool) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = areEnabled
    let database = try EmbeddedDatabase(path: file.path, configuration: configuration)
    try database.write {
      try $0.execute("CREATE TABLE lists(id INTEGER PRIMARY KEY)")
      try $0.execute("CREATE TABLE items(list INTEGER REFERENCES lists(id))")
    }
    let insert = Result { try database.write { try $0.run("INSERT INTO items VALUES (7)") } }
    switch insert {
    case .success: #expect(!areEnabled)
    case .failure(let error): #expect(areEnabled && "\(error)".contains("FOREIGN KEY"))
    }
    let count = try database.read { try $0.value("SELECT count(*) FROM items") }
    #expect(count == (areEnabled ? 0 : 1))
  }

  @Test func anErrorOfAPreparationReachesTheCaller() throws {
    struct Refused: Error {}
    var configuration = Configuration()
    configuration.prepareDatabase { _ in throw Refused() }
    #expect(throws: Refused.self) {
      _ = try EmbeddedDatabase(path: file.path, configuration: configuration)
    }
  }
}
