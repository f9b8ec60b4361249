import Testing

@testable import MartletLiveAPI

@Suite("Pairing codes") struct PairingCodeTests {
  @Test func whatIsMadeCanBeReadAsPeopleTypeIt() throws {
    for _ in 0..<200 {
      let code = PairingCode()
      #expect(code.text.utf8.count == 11 && code.selector.utf8.count == 2)
      #expect(PairingCode(code.text) == code)
      #expect(PairingCode(code.text.lowercased()) == code)
      #expect(PairingCode(code.text.split(separator: "-").joined(separator: " ") + " ") == code)
      let typed = code.text.map { $0 == "0" ? "o" : $0 == "1" ? "l" : $0 }
      #expect(PairingCode(String(typed)) == code)
    }
    #expect(Set((0..<200).map { _ in PairingCode().text }).count == 200)
  }

  @Test(
    "What is no code",
    arguments: [
      "", "K3FM9-QXR7", "K3FM9-QXR7TT", "K3FM9-QXR7U", "K3FM9QXR7ß", "K3FM9-QXR7\0",
      String(repeating: "-", count: 50) + "K3FM9QXR7T",
    ])
  func others(_ text: String) {
    #expect(PairingCode(text) == nil)
  }

  @Test func aHashIsOfOneCode() throws {
    let code = try #require(PairingCode("K3FM9-QXR7T"))
    let hash = try code.hash()
    #expect(code.matches(hash) && !hash.contains("K3FM9"))
    #expect(try #require(PairingCode("K3FM9-QXR7V")).matches(hash) == false)
    #expect(try code.hash() != hash, "salted")
  }
}
