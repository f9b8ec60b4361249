import MartletHTTP
import Testing

@testable import MartletLiveAPI

@Suite("The rights of a caller") struct RightsTests {
  private func refusal(_ rights: Rights, _ need: RequiredRights, isSession: Bool = false)
    -> ProblemType?
  {
    do throws(APIProblem) {
      try Access(rights, keyID: 1, isSession: isSession).check(need)
      return nil
    } catch {
      return error.type
    }
  }

  @Test("A scope includes the ones before it")
  func scopes() {
    for scope in Rights.Scope.allCases {
      for need in Rights.Scope.allCases {
        let refused = refusal(Rights(scope), RequiredRights(scope: need, parts: .refused))
        #expect((refused == nil) == (scope >= need), "\(scope) for \(need)")
      }
    }
  }

  @Test("By default a route refuses callers that are limited to parts")
  func parts() {
    let limited = Rights(.write, parts: [3, 1, 3])
    #expect(limited.parts == [1, 3])
    #expect(refusal(limited, RequiredRights(scope: .read, parts: .refused)) == .forbidden)
    #expect(refusal(limited, RequiredRights(scope: .read, parts: .respected)) == nil)
    // An empty list of parts is a limit.
    #expect(
      refusal(Rights(.read, parts: []), RequiredRights(scope: .read, parts: .refused)) == .forbidden
    )
  }

  @Test("A live session permits only event streams")
  func sessions() {
    let need = RequiredRights(scope: .read, parts: .respected)
    var live = need
    live.isLive = true
    #expect(refusal(Rights(.read), need, isSession: true) == .forbidden)
    #expect(refusal(Rights(.read), live, isSession: true) == nil)
  }

  @Test("The caller of a request that was not authenticated has no rights")
  func stranger() throws {
    let peer = try #require(Peer(address: "192.0.2.1"))
    let request = try Request(.get, target: "/", peer: peer)
    #expect(request.access.rights == Rights(.read, parts: []))
    #expect(request.access.keyID == nil)
  }
}
