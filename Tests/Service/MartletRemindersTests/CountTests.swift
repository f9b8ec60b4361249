import MartletReminders
import Testing

@Suite struct CountTests {
  @Test(
    "One is singular, every other number is plural",
    arguments: [
      (0, "0 lists"), (1, "1 list"), (2, "2 lists"), (-1, "-1 lists"), (1000, "1000 lists"),
    ])
  func forms(_ number: Int, _ text: String) {
    #expect("\(Count(number, "list"))" == text)
  }

  @Test func ownPlural() {
    #expect("\(Count(1, "row refers", "rows refer"))" == "1 row refers")
    #expect("\(Count(3, "row refers", "rows refer"))" == "3 rows refer")
  }
}
