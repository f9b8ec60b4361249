import MartletQuickAdd
import Testing

/// Each line of the files in `Cases`, and each example of `docs/quick-add.md`, is read as it says.
struct CaseTests {
  @Test func numbers() {
    #expect(QuickAddCase.all.filter { $0.language == .english }.count >= 500)
    #expect(QuickAddCase.all.filter { $0.language == .german }.count >= 200)
    #expect(QuickAddCase.everyday.count == 200 && QuickAddCase.bilingual.count >= 20)
    #expect(QuickAddCase.documented.count >= 60)
  }

  @Test(arguments: QuickAddCase.all + QuickAddCase.documented)
  func reads(_ each: QuickAddCase) {
    let result = each.result()
    #expect(
      result == each.expected,
      """
      \(each.file):\(each.line): \(each.text)
        expected: \(each.expected)
        read:     \(result)
      """)
  }
}
