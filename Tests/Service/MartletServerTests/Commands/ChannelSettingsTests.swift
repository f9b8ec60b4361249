import TestSupport
import Testing

@Suite("The settings of channels") struct ChannelSettingsTests {
  /// The body of a new channel.
  private func body(_ url: String) -> String {
    #"{"kind":"ntfy","name":"p","url":"\#(url)","settings":{"topic":"t"}}"#
  }

  @Test("Nothing is sent to this machine and to private networks, unless a setting allows it")
  func destinations() throws {
    let without = try MartletProcess()
    let closed = try RawClient(port: without.port)
    let private4 = "http://192.168.1.20:8123/"
    for url in ["http://127.0.0.1:9/", "http://localhost:9/", private4, "http://[::1]:9/"] {
      let answer = try closed.post("/v1/channels", body(url))
      #expect(answer.status == 422 && answer.problem == "target-not-allowed", "\(answer.text)")
      #expect(answer.text.contains("--outgoing-to"), "\(answer.text)")
    }
    let server = try MartletProcess(
      ["--outgoing-to", "192.168.1.0/24", "--outgoing-to", "127.0.0.1", "--outgoing-to", "nas"])
    let open = try RawClient(port: server.port)
    for (url, status) in [
      (private4, 201), ("http://127.0.0.1:9/", 201), ("http://nas/", 201),
      ("http://192.168.2.20/", 422), ("http://[::1]:9/", 422), ("http://169.254.169.254/", 422),
    ] {
      #expect(try open.post("/v1/channels", body(url)).status == status, "\(url)")
    }
    // A variable has commas.
    let variable = try MartletProcess(environment: ["MARTLET_OUTGOING_TO": "10.0.0.0/8,127.0.0.1"])
    #expect(
      try RawClient(port: variable.port).post("/v1/channels", body("http://10.1.2.3/")).status
        == 201)
  }

  @Test("The server's own port is refused when it is known")
  func ownPort() throws {
    let port = try FreePort.find()
    let server = try MartletProcess(["--outgoing-to", "127.0.0.1"], port: port)
    let answer = try RawClient(port: port).post("/v1/channels", body("http://127.0.0.1:\(port)/"))
    #expect(answer.status == 422 && answer.text.contains("is this server itself"), "\(answer.text)")
    _ = server
  }

  @Test(
    "Messages link to the public URL, if there is one",
    arguments: [
      ([], nil), (["--public-url", "https://todo.example.org"], "https://todo.example.org/"),
      (["--public-url", "https://todo.example.org/a//"], "https://todo.example.org/a/"),
    ])
  func publicURL(_ arguments: [String], _ link: String?) throws {
    let receiver = try Receiver()
    let server = try MartletProcess(["--outgoing-to", "127.0.0.1"] + arguments)
    let client = try RawClient(port: server.port)
    #expect(try client.post("/v1/channels", body(receiver.url("/"))).status == 201)
    let streams = StreamClient(port: server.port)
    #expect(try client.request("POST", "/v1/channels/1/test").status == 201)
    try streams.open("/v1/deliveries/1")
    #expect(streams.wait { $0[0].last?.data.contains("delivered") == true })
    let request = try #require(receiver.requests.first)
    let click = request.firstMatch(of: /"click":"([^"]*)"/)?.1
    #expect(click.map(String.init) == link, "\(request)")
  }
}
