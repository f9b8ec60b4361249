import MartletCourier

/// The URL of a channel: a template may have placeholders in it.
public enum ChannelURL {
  /// Why no message can be sent to a URL, as far as that is known without its channel; `nil` if one
  /// may.
  ///
  /// - Parameter security: The encryption of the connection to a mail server; `nil`: by the URL.
  public static func problem(
    with url: String, _ security: MailEnvelope.Security?, by rules: OutgoingRules
  ) -> OutgoingRules.Problem? {
    if isOfMail(url) {
      return rules.problem(withMailServer: url, security ?? self.security(of: url))
    }
    return rules.problem(with: MessageTemplate(url: url).filled { $0.rawValue })
  }

  /// Throws ``DomainError/invalid(_:_:)`` if a URL is not one of this kind of channel.
  static func check(
    _ url: String, for kind: ChannelKind, _ settings: ChannelSettings
  ) throws(DomainError) {
    switch kind {
    case .webhook, .ntfy, .template, .push:
      if isOfMail(url) { throw .invalid("url", "must begin with http:// or https://") }
    case .mail:
      let problem = OutgoingRules().problem(withMailServer: url, security(of: url, settings))
      if let problem, !problem.isRefusal { throw .invalid("url", problem.detail) }
    }
    if kind == .template, let problem = MessageTemplate(url: url).problem {
      throw .invalid("url", problem)
    }
    if kind != .template, url.contains("{{") {
      throw .invalid("url", "has a placeholder, which only a template may have")
    }
    guard kind != .ntfy || isServer(url) else {
      throw .invalid(
        "url",
        "expected the address of the ntfy server alone, such as https://ntfy.sh; the topic is in settings"
      )
    }
  }

  /// The encryption of the connection to a mail server.
  static func security(of url: String, _ settings: ChannelSettings) -> MailEnvelope.Security {
    settings.security.flatMap { MailEnvelope.Security(rawValue: $0) } ?? security(of: url)
  }

  private static func security(of url: String) -> MailEnvelope.Security {
    url.lowercased().hasPrefix("smtps:") ? .tls : .starttls
  }

  private static func isOfMail(_ url: String) -> Bool { url.lowercased().hasPrefix("smtp") }

  /// Whether a URL has no path and no query: messages to ntfy go to its root.
  private static func isServer(_ url: String) -> Bool {
    guard let scheme = url.firstRange(of: "://") else { return false }
    let rest = url[scheme.upperBound...]
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    return ["", "/"].contains(rest[end...])
  }
}
