import MartletHTTP
import MartletLiveAPI

/// The routes that are not part of the API: metrics, `openapi.yaml`, a page to try the service, the
/// JavaScript client, and what `/` is.
///
/// `/livez` and `/readyz` are not here: every `Service` has them.
enum OperatingRoutes {
  /// The routes.
  ///
  /// - Parameters:
  ///   - hasApp: Whether `/` is the web app for browsers, or the page `/try`.
  ///   - metrics: Returns the metrics as text.
  static func all(hasApp: Bool = true, metrics: @escaping @Sendable () -> String) -> [Route] {
    [
      .text("/metrics", type: "text/plain; version=0.0.4; charset=utf-8", needs: .read, metrics),
      .document("/openapi.yaml", type: "application/yaml", Assets.bytes("openapi.yaml")),
      hasApp ? AppRoutes.entrance : .entrance("/", Assets.bytes("Pages/try.html"), others: links),
      .page("/try", type: "text/html; charset=utf-8", Assets.bytes("Pages/try.html")),
      .page("/try.css", type: "text/css; charset=utf-8", Assets.bytes("Pages/try.css")),
      .page("/try.js", type: "text/javascript; charset=utf-8", Assets.bytes("Pages/try.js")),
      .page(
        "/app/martlet.js", type: "text/javascript; charset=utf-8",
        Assets.bytes("App/martlet.js")),
      .page(
        "/app/martlet.d.ts", type: "text/plain; charset=utf-8",
        Assets.bytes("App/martlet.d.ts")),
    ]
  }

  /// The response of `GET /` for clients that do not accept HTML.
  static let links = Array(
    """
    {"openapi":"/openapi.yaml","page":"/try","lists":"/v1/lists","reminders":"/v1/reminders"}
    """.utf8)
}
