import Foundation
import Testing

@testable import MartletTime

struct ZoneDatabaseTests {
  let database = ZoneDatabase(directory: Cases.directory.appending(path: "zoneinfo").path)

  @Test func offsetsAgree() throws {
    for line in try Cases.lines(of: "offsets.txt") {
      let zone = try database.zone(named: String(line[0]))
      let instant = Instant(seconds: Int64(line[1])!)
      #expect(zone.offset(at: instant) == Int(line[2])!, "\(line[0]) at \(instant)")
    }
  }

  @Test(arguments: [
    (nil, "/usr/share/zoneinfo"), ("", "/usr/share/zoneinfo"), ("/zones", "/zones"),
    ("/zones//", "/zones"), ("/", "/"),
  ])
  func theVariableNamesTheFolder(_ variable: String?, _ folder: String) {
    #expect(ZoneDatabase.systemDirectory(variable) == folder)
  }

  @Test func changesAreWhereTheOffsetMoves() throws {
    for name in ["Europe/Vienna", "America/St_Johns", "Africa/Cairo", "Antarctica/Troll"] {
      let zone = try database.zone(named: name)
      var instant = try RFC3339.parse("1950-01-01T00:00:00Z")
      let end = try RFC3339.parse("2060-01-01T00:00:00Z")
      var changes = 0
      while let change = zone.nextTransition(after: instant), change < end {
        #expect(change > instant)
        // The offset is constant between two changes.
        let between = instant.adding(milliseconds: change.milliseconds(since: instant) / 2)
        #expect(
          zone.offset(at: between) == zone.offset(at: change.adding(milliseconds: -1)),
          "\(name) \(between)")
        instant = change
        changes += 1
      }
      #expect(changes > 60)
    }
  }

  @Test func halfAnHourOfDaylightTime() throws {
    let zone = try database.zone(named: "Australia/Lord_Howe")
    #expect(zone.offset(at: try RFC3339.parse("2050-01-01T00:00:00Z")) == 11 * 3600)
    #expect(zone.offset(at: try RFC3339.parse("2050-07-01T00:00:00Z")) == 37_800)
  }

  @Test(arguments: [
    "", "/", "/etc/passwd", "../UTC", "Europe/../UTC", "Europe//Vienna", "Europe/", "/UTC", "a.b",
    "zone.tab", "Europe/Vien\0na", "Europe Vienna", "Ünited", ".", "..", "UTC/", "%2e%2e",
    String(repeating: "A", count: 65), "Europe\\Vienna", "~root",
  ])
  func namesThatLeaveTheDirectoryAreNeverLookedUp(_ name: String) {
    #expect(throws: ZoneProblem.malformedName) { try database.zone(named: name) }
    #expect(!ZoneInfo.isIdentifier(name))
  }

  @Test(arguments: ["Mars/Olympus", "Europe", "europe/vienna", "Europe/Vienna/Old", "utc"])
  func unknownNames(_ name: String) {
    #expect(throws: ZoneProblem.unknown(name: name)) { try database.zone(named: name) }
    #expect(database.cachedCount == 0)
  }

  @Test func withoutDatabaseThereIsUTC() throws {
    let none = ZoneDatabase(directory: "/nonexistent/zoneinfo")
    #expect(!none.isAvailable)
    #expect(try none.zone(named: "UTC").offset(at: .epoch) == 0)
    #expect(try none.zone(named: "Etc/UTC").offset(at: .epoch) == 0)
    #expect(throws: ZoneProblem.databaseMissing(directory: "/nonexistent/zoneinfo")) {
      try none.zone(named: "Europe/Vienna")
    }
    #expect(database.isAvailable)
  }

  @Test func cacheIsBounded() throws {
    let small = ZoneDatabase(directory: database.directory, cacheLimit: 3)
    let names = ["Europe/Vienna", "Europe/Berlin", "Asia/Tokyo", "Asia/Tehran", "Africa/Cairo"]
    for _ in 0..<3 {
      for name in names {
        #expect(try small.zone(named: name).identifier == name)
        #expect(small.cachedCount <= 3)
      }
    }
  }

  @Test(
    "The system's zone files are read",
    .enabled(if: ZoneDatabase.system.isAvailable, "no tzdata on this machine"))
  func systemFiles() throws {
    let zone = try ZoneDatabase.system.zone(named: "Europe/Vienna")
    #expect(zone.offset(at: try RFC3339.parse("2025-01-15T12:00:00Z")) == 3600)
    #expect(zone.offset(at: try RFC3339.parse("2025-07-15T12:00:00Z")) == 7200)
  }
}
