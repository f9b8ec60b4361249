import Foundation
import Testing

@testable import MartletTime

struct LocalZoneTests {
  let database = ZoneDatabase(directory: Cases.directory.appending(path: "zoneinfo").path)

  @Test(arguments: [
    ("Europe/Vienna", "Europe/Vienna"), (":Africa/Cairo", "Africa/Cairo"), ("", "UTC"),
    (":", "UTC"), ("UTC", "UTC"),
    ("/usr/share/zoneinfo/America/St_Johns", "America/St_Johns"),
    (":/usr/share/zoneinfo/right/Europe/Vienna", "Europe/Vienna"),
    // Rules without a name, and names without a file.
    ("CET-1CEST,M3.5.0,M10.5.0/3", nil), ("Mars/Olympus", nil), ("/etc/passwd", nil),
  ])
  func theVariableNamesTheZone(_ variable: String, _ name: String?) {
    #expect(database.local(variable: variable, link: "/")?.identifier == name)
  }

  @Test(arguments: [
    ("/usr/share/zoneinfo/Europe/Vienna", "Europe/Vienna"),
    ("../usr/share/zoneinfo/posix/Africa/Cairo", "Africa/Cairo"), ("/elsewhere/zone", nil),
  ])
  func theLinkNamesTheZone(_ target: String, _ name: String?) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let link = folder.appending(path: "localtime").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    #expect(database.local(variable: nil, link: link)?.identifier == name)
  }

  @Test func aFileOrNothingNamesNoZone() {
    #expect(database.local(variable: nil, link: "/etc/passwd") == nil)
    #expect(database.local(variable: nil, link: "/nowhere") == nil)
  }
}
