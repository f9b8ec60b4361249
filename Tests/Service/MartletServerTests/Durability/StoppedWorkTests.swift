import MartletSQLite
import MartletStore
import Testing

@testable import MartletServer

@Suite("Work that a stop interrupts") struct StoppedWorkTests {
  @Test("A clean stop is no error of the work that it refuses, but everything else is")
  func isGivenUp() {
    #expect(PrimaryWork.isGivenUp(WriteError.stopped))
    #expect(PrimaryWork.isGivenUp(WriteError.notPrimary))
    let full = SQLiteError(code: 13, message: "full")
    for error in [WriteError.storageFull(full), .outcomeUnknown(full), .overTime(limit: .zero)] {
      #expect(!PrimaryWork.isGivenUp(error))
    }
    #expect(!PrimaryWork.isGivenUp(full))
  }
}
