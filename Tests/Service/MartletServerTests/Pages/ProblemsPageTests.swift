import Foundation
import MartletReminders
import MartletSQLite
import MartletStore
import TestSupport
import Testing

@testable import MartletCourier
@testable import MartletHTTP
@testable import MartletLiveAPI
@testable import MartletRemindersAPI

@Suite("docs/problems.md") struct ProblemsPageTests {
  private let page: String

  init() throws { page = try Repository.text("docs/problems.md") }

  @Test("Its commands have the documented output")
  func commands() throws {
    let transcript = Transcript(page: page)
    #expect(transcript.items.count > 20)
    let server = try MartletProcess()
    let differences = try TranscriptRunner(server).run(transcript)
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n\n"))")
  }

  /// The `detail` of the documents without a command, by slug.
  private func documents() throws -> [String: String] {
    var documents: [String: String] = [:]
    for line in page.components(separatedBy: "\n") where line.hasPrefix("    {") {
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let type = try #require(document["type"] as? String)
      documents[String(type.dropFirst("/problems/".count))] = document["detail"] as? String
    }
    return documents
  }

  @Test("Problems without a command have the documented detail")
  func others() throws {
    let full = SQLiteError(code: SQLITE_FULL, message: "")
    var expected: [String: String?] = [
      "request-timeout": ProtocolError.headTimeout.detail,
      "rate-limited": ProtocolError.tooManyRequests.detail,
      "change-too-large": APIProblem.of(WriteError.tooManyRows(limit: 1_000_000))?.detail,
      "result-too-large": APIProblem.of(ReadError.tooLarge(limit: 8 << 20))?.detail,
      "overloaded": APIProblem.of(WriteError.expired(after: .milliseconds(1)))?.detail,
      "query-timeout": APIProblem.of(ReadError.overBudget(limit: .nanoseconds(1)))?.detail,
      "no-quorum": APIProblem.withoutQuorum.detail,
      "storage-full": APIProblem.of(WriteError.storageFull(full))?.detail,
      "list-is-gone": RemindersAPI.problem(of: DomainError.listIsGone(2))?.detail,
      "id-exists": RemindersAPI.problem(of: DomainError.idExists(.reminder(7)))?.detail,
      "entry-unreadable": RemindersAPI.problem(of: DomainError.unreadable(.trash(7)))?.detail,
      "too-deep": RemindersAPI.problem(of: RuleViolation.tooDeep)?.detail,
      "nothing-to-undo": RemindersAPI.problem(of: DomainError.nothingToUndo(7))?.detail,
      "not-the-newest": RemindersAPI.problem(of: DomainError.notTheNewest(7))?.detail,
      "too-many-alarms": RemindersAPI.problem(of: RuleViolation.tooManyAlarms)?.detail,
      "too-many-channels": RemindersAPI.problem(of: RuleViolation.tooManyChannels)?.detail,
      "too-many-smart-lists": RemindersAPI.problem(of: RuleViolation.tooManySmartLists)?.detail,
      "too-many-keys": APIKeys.tooMany.detail,
      "courier-unavailable":
        ChannelRoutes.unavailable(
          CourierResult.Failure(
            .courier, "libcurl.so.4 is missing; install the Debian package libcurl4")
        ).detail,
      "outcome-unknown": APIProblem.of(WriteError.outcomeUnknown(full))?.detail,
    ]
    let service = try KeyedService()
    let client = try RawClient(port: service.server.port)
    expected["unauthorized"] = try client.get("/v1/lists").json["detail"] as? String
    expected["forbidden"] =
      try client.request("POST", "/v1/lists", service.key("read"), body: "{}").json["detail"]
      as? String
    let old = try RawClient(port: service.server.port)
    try old.send("GET / HTTP/2.0\r\n\r\n")
    expected["http-version"] = try old.response().json["detail"] as? String
    expected["internal"] = Context.fault.detail
    #expect(try documents() == expected.compactMapValues { $0 })
  }
}
