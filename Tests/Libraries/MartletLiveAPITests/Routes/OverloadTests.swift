import Foundation
import MartletStore
import Synchronization
import TestSupport
import Testing

@testable import MartletLiveAPI

@Suite("Overload") struct OverloadTests {
  private static let writers = 10

  @Test(
    "With a full queue, writes are refused at once, queued writes are done and reads go on (item 81)"
  )
  func fullQueue() throws {
    let isHeld = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let held = Route.write(.post, "/held") { _, _ in
      WriteRoute.Work { _ in
        isHeld.signal()
        mayGoOn.wait()
        return .done
      }
    }
    var store = Configuration()
    store.writeQueueLimit = 4
    let service = try NotesService(store: store, routes: [held])
    let holder = try service.client()
    try holder.send(RawClient.head("POST", "/held", body: ""))
    isHeld.wait()

    let answered = DispatchSemaphore(value: 0)
    let answers = Mutex<[RawResponse]>([])
    for _ in 0..<Self.writers {
      Thread {
        let answer = try? service.client().post("/notes", #"{"title":"a"}"#)
        answers.withLock { $0.append(answer ?? RawResponse(status: 0, fields: [], body: [])) }
        answered.signal()
      }.start()
    }
    for _ in 0..<Self.writers - 4 {
      #expect(answered.wait(timeout: .now() + Deadline.hang) == .success)
    }
    for answer in answers.withLock({ $0 }) {
      #expect(answer.status == 503 && answer.problem == "overloaded")
      #expect(answer["Retry-After"] == "1")
    }
    #expect(try service.client().get("/notes").text == #"{"items":[]}"#)

    mayGoOn.signal()
    #expect(try holder.response().status == 204)
    for _ in 0..<4 { #expect(answered.wait(timeout: .now() + Deadline.hang) == .success) }
    #expect(answers.withLock { $0.map(\.status).suffix(4) } == [201, 201, 201, 201])
    #expect(try service.client().post("/notes", #"{"title":"b"}"#).status == 201)
  }
}
