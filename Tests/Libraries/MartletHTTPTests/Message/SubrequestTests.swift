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
    "Each fault of an escape has a message of its own",
    arguments: [
      (
        "/%zz",
        "A % in the target must have two hexadecimal digits after it. Write %25 for the % itself."
      ),
      (
        "/a?b=50%",
        "A % in the target must have two hexadecimal digits after it. Write %25 for the % itself."
      ),
      ("/%00", "The target has a %00, the character NUL, which is not allowed. Leave it out."),
      ("/a?b=%C3", "The query is not UTF-8 when decoded."),
      ("/%C3", "The path is not UTF-8 when decoded."),
    ])
  func escapes(_ target: String, _ detail: String) {
    let error = #expect(throws: ProtocolError.self) {
      _ = try Request(.get, target: target, peer: peer)
    }
    #expect(error?.detail == detail)
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
