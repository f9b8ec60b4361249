import MartletHTTP

/// Prevents pages of other origins from writing through a visitor's browser.
///
/// Bodies are read as JSON whatever their `Content-Type` says, so without this check a plain HTML
/// form could write.
enum Origins {
  /// Throws a 403 for a cross-origin write. Clients other than browsers, such as curl, send neither
  /// field and pass.
  static func check(_ request: Request, allowed: Set<String>) throws(APIProblem) {
    let origin = request.fields["Origin"]
    if let origin, allowed.contains(origin) { return }
    if let site = request.fields["Sec-Fetch-Site"]?.lowercased() {
      guard site == "cross-site" || site == "same-site" else { return }
      throw refusal
    }
    guard let origin else { return }
    var hosts = [request.host]
    // A proxy may use another host name for this server than its clients do.
    if request.isProxied { hosts.append(request.fields.lastElement(of: "X-Forwarded-Host")) }
    guard let own = authority(of: origin), hosts.contains(where: { $0?.lowercased() == own }) else {
      throw refusal
    }
  }

  private static let refusal = APIProblem(
    .crossOrigin, "A page of another origin may not write to this server.")

  /// `https://todo.example.org:8080` → `todo.example.org:8080`
  private static func authority(of origin: String) -> String? {
    guard let scheme = origin.firstRange(of: "://") else { return nil }
    return origin[scheme.upperBound...].lowercased()
  }
}
