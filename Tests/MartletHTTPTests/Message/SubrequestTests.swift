import MartletJSON
import Testing

@testable import MartletHTTP

@Suite("Requests made by a route")
struct SubrequestTests {
  private let peer = Peer(high: 0, low: 1, port: 1)

  @Test("Subrequests are parsed and routed like any other")
  func routed() throws {
    var router = Router()
    router.on(.get, "/v1/{name}") { request, context in
      let due = request.queryItems.first?.value ?? ""
      return .respond(
        Response(
          body: .text("\(request.parameter("name")!) \(due) \(request.fields["X-Key"] ?? "")")))
    }
    let request = try Request(
      .get, target: "/v1/a%2Fb?due=today", fields: Fields(["X-Key": "k"]), peer: peer)
    let context = RequestContext(loop: 0, scratch: ByteBuffer(), now: .epoch, monotonic: .zero)
    guard case .respond(let response) = try RouteTree(router).answer(request, context),
      case .bytes(let bytes) = response.body
    else {
      Issue.record("no response")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self) == "a/b today k")
  }

  @Test(
    "Subrequests cannot smuggle fields or leave the path",
    arguments: [
      "/ HTTP/1.1\r\nX: 1\r\n\r\n", "/\r\nX: 1", "/a b", "", "x", "*", "http://h/", "/%zz", "/%00",
    ])
  func refused(_ target: String) {
    #expect(throws: ProtocolError.self) { _ = try Request(.get, target: target, peer: peer) }
  }
}
