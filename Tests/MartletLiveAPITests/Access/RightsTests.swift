import MartletHTTP
import Testing

@testable import MartletLiveAPI

@Suite("What a caller may do") struct RightsTests {
  private func refusal(_ rights: Rights, _ need: Need, isSession: Bool = false) -> ProblemType? {
    do throws(APIProblem) {
      try Access(rights, keyID: 1, isSession: isSession).check(need)
      return nil
    } catch {
      return error.type
    }
  }

  @Test("A scope does what those before it do")
  func scopes() {
    for scope in Rights.Scope.allCases {
      for need in Rights.Scope.allCases {
        let refused = refusal(Rights(scope), Need(scope: need, parts: .refused))
        #expect((refused == nil) == (scope >= need), "\(scope) for \(need)")
      }
    }
  }

  @Test("A route that says nothing of limits refuses those who are limited")
  func parts() {
    let limited = Rights(.write, parts: [3, 1, 3])
    #expect(limited.parts == [1, 3])
    #expect(refusal(limited, Need(scope: .read, parts: .refused)) == .forbidden)
    #expect(refusal(limited, Need(scope: .read, parts: .respected)) == nil)
    // Limited to nothing is limited.
    #expect(refusal(Rights(.read, parts: []), Need(scope: .read, parts: .refused)) == .forbidden)
  }

  @Test("A live session is for what can be followed")
  func sessions() {
    let need = Need(scope: .read, parts: .respected)
    var live = need
    live.isLive = true
    #expect(refusal(Rights(.read), need, isSession: true) == .forbidden)
    #expect(refusal(Rights(.read), live, isSession: true) == nil)
  }

  @Test("A request that nobody has let in is somebody who sees nothing")
  func stranger() throws {
    let peer = try #require(Peer(address: "192.0.2.1"))
    let request = try Request(.get, target: "/", peer: peer)
    #expect(request.access.rights == Rights(.read, parts: []))
    #expect(request.access.keyID == nil)
  }
}
