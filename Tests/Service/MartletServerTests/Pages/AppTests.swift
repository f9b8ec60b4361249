import Foundation
import TestSupport
import Testing

@Suite("The web app") struct AppTests {
  private static let html = ("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
  private static let gzip = ("Accept-Encoding", "gzip")

  /// The paths that the service worker keeps, and the service worker.
  private func parts(_ client: RawClient) throws -> [String] {
    let version = try client.get("/app/version.json")
    #expect(version.status == 200 && version["Content-Type"] == "application/json")
    let parts = try #require(version.json["parts"] as? [String])
    return parts + ["/sw.js", "/app/version.json"]
  }

  @Test("Browsers get the app at /, with and without a query; programs get links")
  func entrance() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    for path in ["/", "/?title=Milk&text=&url="] {
      let page = try client.get(path, [Self.html])
      #expect(page.status == 200 && page["Content-Type"] == "text/html; charset=utf-8")
      #expect(page.text.contains("/app/main.js"))
      #expect(page["Vary"] == "Accept, Accept-Encoding")
    }
    #expect(try client.get("/").json["page"] as? String == "/try")
  }

  @Test("Each part is served to everyone, compressed, with a policy and an entity tag")
  func everyPart() throws {
    let server = try KeyedService().server
    let client = try RawClient(port: server.port)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Repository.root + "/Pages/app")
    let parts = try parts(client)
    // What is embedded is served, and what is listed is there.
    for file in files where file != "index.html.gz" {
      let name = file.hasSuffix(".gz") ? String(file.dropLast(3)) : file
      #expect(parts.contains(name == "sw.js" ? "/sw.js" : "/app/" + name))
    }
    for path in parts {
      let part = try client.get(path, [Self.html, Self.gzip])
      #expect(part.status == 200, "\(path)")
      let whole = try client.get(path, [Self.html])
      // A picture is compressed already.
      let isText = !path.hasSuffix(".png")
      #expect((whole.body.count > part.body.count) == isText, "\(path)")
      #expect((part["Content-Encoding"] == "gzip") == isText, "\(path)")
      #expect(part["Cache-Control"] == "no-cache" && part["X-Content-Type-Options"] == "nosniff")
      #expect(part["Referrer-Policy"] == "no-referrer")
      #expect(part["Cross-Origin-Opener-Policy"] == "same-origin")
      let policy = try #require(part["Content-Security-Policy"])
      for rule in [
        "default-src 'none'", "require-trusted-types-for 'script'", "'none'; form-action",
      ] { #expect(policy.contains(rule)) }
      #expect(!policy.contains("unsafe") && !policy.contains("http"))
      let tag = try #require(part["ETag"])
      #expect(
        try client.get(path, [Self.html, Self.gzip, ("If-None-Match", tag)]).status == 304,
        "\(path)")
      #expect(try client.request("POST", path).status == 405, "\(path)")
    }
  }

  @Test("It names no other host")
  func hosts() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    // Names of XML vocabularies, and addresses that forms of channels suggest: nothing is requested
    // from them.
    let known: Set<Substring> = [
      "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml", "https://ntfy.sh",
      "https://api.telegram.org", "https://hooks.slack.com/services/", "http://homeassistant.local",
      "https://discord.com/api/webhooks/",
    ]
    for path in try parts(client) {
      let text = try client.get(path, [Self.html]).text
      for found in text.matches(of: #/https?://[a-zA-Z0-9./_-]*[a-zA-Z0-9/]/#)
      where found.output.count > 8 {
        #expect(known.contains(found.output), "\(path)")
      }
    }
  }

  @Test("In each language the first view takes at most 42 KiB, later parts 20, all of it 110")
  func budget() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    var sizes: [String: Int] = [:]
    for path in try parts(client) {
      sizes[path] = try client.get(path, [Self.html, Self.gzip]).body.count
    }
    let page = try client.get("/", [Self.html]).text
    // The first view loads what the page names, but for the icon of a home screen, and the words.
    let named = page.matches(of: #/(?:href|src)="(/app/[^"]+)"/#).map { String($0.output.1) }
      .filter { $0 != "/app/icon.png" }
    #expect(named.count >= 5)
    // A browser loads the words of one language.
    let words = #/\/app\/([a-z]{2})(?:-[a-z]+)?\.js/#
    let languages = Set(sizes.keys.compactMap { $0.wholeMatch(of: words)?.output.1 })
    #expect(languages.contains("en"))
    for language in languages {
      let own = sizes.filter { path, _ in
        path.wholeMatch(of: words).map { $0.output.1 == language } ?? true
      }
      #expect(own.values.reduce(0, +) <= 110 * 1024, "\(language): \(own)")
      let first = Set(named + ["/", "/app/\(language).js"])
      let size = try first.map { try #require(own[$0], "\($0)") }.reduce(0, +)
      #expect(size <= 42 * 1024, "\(language): \(size)")
      for (path, size) in own where !first.contains(path) {
        #expect(size <= 20 * 1024, "\(path)")
      }
    }
  }

  @Test("--no-app leaves it out: / is the page /try, and the client for programs stays")
  func left() throws {
    let whole = try MartletProcess()
    let parts = try parts(RawClient(port: whole.port)).filter { $0 != "/" }
    let server = try MartletProcess(["--no-app"])
    let client = try RawClient(port: server.port)
    for path in parts { #expect(try client.get(path).status == 404, "\(path)") }
    #expect(try client.get("/", [Self.html]).text == client.get("/try").text)
    #expect(try client.get("/").json["page"] as? String == "/try")
    #expect(try client.get("/app/martlet.js").status == 200)
  }
}

@Suite("The page /try") struct TryPageTests {
  @Test("Its inputs accept what the server accepts, and not more")
  func lengths() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    let page = try client.get("/try").text
    func longest(_ input: String) throws -> Int {
      let tag = try #require(page.firstMatch(of: try Regex("<input id=\"\(input)\"[^>]*>")))
      let found = try #require(page[tag.range].firstMatch(of: /maxlength="(\d+)"/))
      return try #require(Int(found.1))
    }
    func title(_ count: Int) throws -> Int {
      let text = String(repeating: "a", count: count)
      return try client.post("/v1/lists/1/reminders", #"{"title":"\#(text)"}"#).status
    }
    func search(_ count: Int) throws -> Int {
      try client.get("/v1/search?q=" + String(repeating: "a", count: count)).status
    }
    let most = (title: try longest("title"), query: try longest("query"))
    #expect(try title(most.title) == 201 && title(most.title + 1) == 422)
    #expect(try search(most.query) == 200 && search(most.query + 1) == 400)
  }
}
