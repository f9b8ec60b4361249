import Foundation
import TestSupport
import Testing

@testable import MartletTime

struct ZoneFileTests {
  /// A version 1 file with one change of the offset, at 1,000 s from 0 to one hour.
  private static func file(
    version: UInt8 = 0, leapSeconds: Bool = false, index: UInt8 = 1, time: Int32 = 1000
  ) -> [UInt8] {
    func big(_ value: Int32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
    let counts: [Int32] = [0, 0, leapSeconds ? 1 : 0, 1, 2, 4]
    let parts: [[UInt8]] = [
      Array("TZif".utf8), [version], [UInt8](repeating: 0, count: 15), counts.flatMap(big),
      big(time), [index], big(0), [0, 0], big(3600), [1, 0], Array("AAA\0".utf8),
      leapSeconds ? big(78_796_800) + big(1) : [],
    ]
    return parts.flatMap(\.self)
  }

  @Test func version1HasNoRule() throws {
    let file = try ZoneFile(Self.file())
    #expect(file.offset(at: 999) == 0)
    #expect(file.offset(at: 1000) == 3600)
    #expect(file.offset(at: .max / 1000) == 3600)
    #expect(file.nextTransition(after: 0) == 1000)
    #expect(file.nextTransition(after: 1000) == nil)
    #expect(try ZoneFile(Self.file(time: -1)).offset(at: -2) == 0)
  }

  @Test func damageIsNamed() {
    func reason(_ bytes: [UInt8]) -> String? {
      do throws(ZoneFile.Damage) {
        _ = try ZoneFile(bytes)
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(reason([]) == "it ends too early")
    #expect(reason(Array("hello, this is no such file".utf8)) == "it is not a TZif file")
    #expect(reason(Self.file(leapSeconds: true)) == "its times include leap seconds")
    #expect(reason(Self.file(index: 2)) == "a transition to a type that does not exist")
    #expect(reason(Self.file(version: UInt8(ascii: "2"))) == "it ends too early")
  }

  @Test func noBrokenFileCrashes() throws {
    var random = SeededRandom()
    for name in ["Europe/Vienna", "America/St_Johns", "Etc/UTC"] {
      let url = Cases.directory.appending(path: "zoneinfo/\(name)")
      let whole = [UInt8](try Data(contentsOf: url))
      for length in 0..<whole.count {
        #expect(throws: ZoneFile.Damage.self) { try ZoneFile(Array(whole[..<length])) }
      }
      for _ in 0..<3000 {
        var broken = whole
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          broken[Int.random(in: 0..<whole.count, using: &random)] =
            .random(in: 0...255, using: &random)
        }
        // A file that is accepted must also give offsets.
        guard let file = try? ZoneFile(broken) else { continue }
        let second = Int64.random(in: -1 << 40...1 << 40, using: &random)
        #expect(abs(file.offset(at: second)) <= 168 * 3600, "seed \(random.seed)")
        if let next = file.nextTransition(after: second) { #expect(next > second) }
      }
    }
  }
}
