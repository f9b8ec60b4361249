import Foundation
import Glibc
import MartletTime
import TestSupport
import Testing

extension ProcessTests {
  /// A household uses a server for a week, whose clock moves on with each write.
  ///
  /// `MARTLET_WEEK` is the number of writes of a day. `make soak` sets it and runs the test alone:
  /// then the week also ends with a day on which a server that has just started does the same.
  @Suite struct WeekTests {
    private static let long = ProcessInfo.processInfo.environment["MARTLET_WEEK"].flatMap(Int.init)

    @Test("After a week a server costs what it cost at first, and has lost nothing")
    func week() throws {
      let writes = Self.long ?? 12
      let house = try Household()
      var costs: [(cpu: Double, memory: Int)] = []
      for day in 1...7 {
        let before = cpuSeconds()
        for hour in 0..<24 { try house.spend(hour: hour, writes: writes) }
        costs.append(((cpuSeconds() - before) * 1_000 / Double(writes), try ownMemory()))
        try house.checkDay()
        if Self.long != nil {
          print(
            "day \(day): \(String(format: "%.2f", costs.last!.cpu)) ms of CPU for each write,",
            "\(costs.last!.memory >> 20) MiB")
        }
      }
      #expect(house.rung > 0)
      guard Self.long != nil else { return }

      #expect(costs[6].memory <= costs[1].memory + 16 << 20)
      let fresh = try Household(copyOf: house)
      var ratios: [Double] = []
      for hour in 0..<24 {
        let times = try [house, fresh].map { house in
          let before = cpuSeconds()
          try house.spend(hour: hour, writes: writes)
          return cpuSeconds() - before
        }
        ratios.append(times[0] / times[1])
      }
      let median = ratios.sorted()[12]
      print("day 8, the server of the week and a fresh one in turns: \(median) times the CPU time")
      #expect(median <= 1.1)
    }
  }
}

/// The CPU time of all threads of this process.
private func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The memory of this process that is its own, in bytes.
private func ownMemory() throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
  return (Int(line.filter(\.isNumber)) ?? 0) * 1024
}
