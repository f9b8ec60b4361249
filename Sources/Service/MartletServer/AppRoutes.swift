import MartletHTTP
import MartletLiveAPI

/// The routes of the web app: its page at `/`, its parts below `/app/`, and its service worker.
enum AppRoutes {
  /// The bundles, and the parts that are served as they are.
  private static let folders = ["Pages/app/", "App/"]

  /// The page: the app for browsers, and links for programs.
  static var entrance: Route {
    .entrance(
      "/", policy: policy, isGzip: true, { Assets.bytes("Pages/app/index.html.gz") },
      others: { OperatingRoutes.links })
  }

  /// All parts but the page and the client for other programs, which is served without the app too.
  static var parts: [Route] {
    Assets.names.compactMap { asset in
      guard let folder = folders.first(where: asset.hasPrefix) else { return nil }
      let file = asset.dropFirst(folder.count)
      let isGzip = file.hasSuffix(".gz")
      let name = String(isGzip ? file.dropLast(3) : file)
      guard name != "index.html", !name.hasPrefix("martlet.") else { return nil }
      guard let type = types[String(name.drop { $0 != "." })] else {
        preconditionFailure("\(name) has no media type")
      }
      // A service worker is in charge of the paths below its own.
      let pattern = name == "sw.js" ? "/sw.js" : "/app/" + name
      return isGzip
        ? .page(pattern, type: type, policy: policy, gzip: { Assets.bytes(asset) })
        : .page(pattern, type: type, policy: policy, Assets.bytes(asset))
    }
  }

  private static let types = [
    ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml", ".png": "image/png", ".webmanifest": "application/manifest+json",
    ".json": "application/json",
  ]

  /// Only what this server sends runs. Scripts cannot turn text into markup or into scripts, but in
  /// two places: the marks of a search result, and the address of the service worker.
  private static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
    trusted-types marks worker
    """
}
