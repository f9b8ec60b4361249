import Testing

@testable import MartletLiveAPI

@Suite("Credentials") struct CredentialTests {
  @Test("A credential can be parsed again, and each has a new secret")
  func roundTrip() throws {
    var seen: Set<String> = []
    for id in [1, 7, 1_000_000] {
      for kind in [Credential.Kind.key, .session] {
        let credential = Credential(kind, id: id, Secret())
        // The ID of a session is not that of a key.
        #expect(credential.keyID == (kind == .key ? id : nil))
        let read = try #require(Credential(credential.text))
        #expect(read.kind == kind && read.id == id && read.secret == credential.secret)
        #expect(seen.insert(credential.text).inserted)
        #expect(read.secret != Secret())
      }
    }
  }

  @Test("A secret has 160 bits: each of 32 characters is one of 32")
  func entropy() {
    var seen = [Set<Character>](repeating: [], count: 32)
    for _ in 0..<1000 {
      for (place, character) in Secret().text.enumerated() { seen[place].insert(character) }
    }
    #expect(seen.allSatisfy { $0.count == 32 })
  }

  @Test(
    "A malformed key is rejected",
    arguments: [
      "", "mk", "mk_", "mk_1", "mk_1_", "_1_", "mk_1_abc", "mk_0_\(good)", "mk_-1_\(good)",
      "mk_01_\(good)", "mk_+1_\(good)", "mk__\(good)", "MK_1_\(good)", "xx_1_\(good)",
      "mk_1_\(good)a", "mk_1_\(good.dropLast())", "mk_1_\(good.uppercased())",
      "mk_1_\(good.dropLast())_", "mk_1_\(good.dropLast())1", "mk_1_\(good.dropLast(2))é",
      " mk_1_\(good)", "mk_1_\(good) ", "mk_99999999999999999999_\(good)", "mk_1_\(good)_x",
    ])
  func malformed(_ text: String) { #expect(Credential(text) == nil) }

  private static let good = String(repeating: "abcdefgh", count: 4)

  @Test("A hash matches only its secret, and is salted")
  func hashes() throws {
    let secret = Secret()
    let hash = try secret.hash()
    #expect(hash.hasPrefix("$6$rounds=1000$") && !hash.contains(secret.text))
    let again = try secret.hash()
    #expect(again != hash && secret.matches(hash) && secret.matches(again))
    #expect(!Secret().matches(hash))
    for other in ["", "*", "$6$", "$6$rounds=1000$x", String(hash.dropLast()), hash + "x"] {
      #expect(!secret.matches(other), "\(other)")
    }
  }
}
