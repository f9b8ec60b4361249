import Testing

@testable import MartletCourier

@Suite("Mail") struct MailEnvelopeTests {
  @Test("Addresses in ASCII, of an atom or more and the name of a host")
  func addresses() {
    for text in [
      "a@b", "anna.b+phone@mail.example.com", "a!#$%&'*+-/=?^_`{|}~z@xn--exmple-cua.com",
      String(repeating: "a", count: 64) + "@example.com",
    ] {
      #expect(MailEnvelope.isAddress(text), "\(text)")
    }
    for text in [
      "", "@", "a", "a@", "@b", "a@b@c", "a b@c", ".a@b", "a.@b", "a..b@c", "a@b.", "a@b..c",
      "a@127.0.0.1", "a@[127.0.0.1]", "\"a b\"@c", "ä@b", "a@ä", "a@b\r\nRCPT TO:<c@d>", "<a@b>",
      String(repeating: "a", count: 65) + "@example.com",
      "a@" + String(repeating: "abc.", count: 64) + "com",
    ] {
      #expect(!MailEnvelope.isAddress(text), "\(text)")
    }
    #expect(MailEnvelope.domain(of: "a@mail.example.com") == "mail.example.com")
  }

  private func problem(
    _ change: (inout MailEnvelope) -> Void, _ text: [UInt8] = [1]
  ) -> String? {
    var envelope = MailEnvelope(from: "a@b", to: "c@d", security: .tls)
    change(&envelope)
    return CourierRequest(mail: envelope, server: "smtps://b", text: text).problem
  }

  @Test("Parts that cannot be sent")
  func problems() {
    #expect(problem { _ in } == nil)
    #expect(problem { ($0.user, $0.password) = ("u", "p ü") } == nil)
    #expect(problem { $0.sender = "a" } == "the sender is not a mail address")
    #expect(problem { $0.recipient = "c@d\r\n" } == "the recipient is not a mail address")
    for (user, password) in [("u", nil), (nil, "p"), ("u\n", "p"), ("u", "p\r"), ("", "p")] {
      #expect(
        problem { ($0.user, $0.password) = (user, password) }
          == "the user or the password is invalid")
    }
    let large = [UInt8](repeating: 97, count: CourierRequest.largestBody + 1)
    #expect(problem({ _ in }, large) == "the body has more than 262144 bytes")
  }

  @Test("Where mail may go, without a network")
  func destinations() {
    typealias Security = MailEnvelope.Security
    let advice = "the operator can allow it with --outgoing-to"
    for (url, security, expected) in [
      ("smtps://mail.example.com", Security.tls, nil), ("SMTP://mail.example.com", .starttls, nil),
      ("smtp://mail.example.com:2525", .starttls, nil),
      ("https://mail.example.com", .tls, "must begin with smtps://"),
      ("smtp://mail.example.com", .tls, "must begin with smtps://"),
      ("smtps://mail.example.com", .starttls, "must begin with smtp://"),
      ("smtps://mail.example.com/", .tls, "must end behind the host or the port"),
      ("smtps://mail.example.com?a", .tls, "must end behind the host or the port"),
      ("smtps://a@mail.example.com", .tls, "must not contain a user or a password"),
      ("smtp://a.example", .none, "a.example is reached without encryption; \(advice) a.example"),
      ("smtp://a.example:25", .starttls, "a.example is reached on port 25; \(advice) a.example"),
      ("smtp://1.1.1.1:25", .starttls, "1.1.1.1 is reached on port 25; \(advice) 1.1.1.1"),
      ("smtps://127.0.0.1", .tls, "127.0.0.1 is a loopback address; \(advice) 127.0.0.1"),
      ("smtps://169.254.169.254", .tls, "169.254.169.254 is the metadata service of a cloud"),
    ] {
      #expect(
        OutgoingRules().problem(withMailServer: url, security)?.detail == expected, "\(url)")
    }
    let allowed = OutgoingRules(allowed: ["mail.example.com"].compactMap { .init($0) })
    #expect(allowed.problem(withMailServer: "smtp://mail.example.com:25", .none) == nil)
    #expect(OutgoingRules().problem(with: "smtps://mail.example.com")?.isRefusal == false)
  }
}
