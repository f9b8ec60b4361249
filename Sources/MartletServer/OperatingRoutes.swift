import MartletHTTP
import MartletLiveAPI

/// The routes that are not part of the API: metrics, `openapi.yaml`, a page to try the service, and
/// the JavaScript client.
///
/// `/livez` and `/readyz` are not here: every `Service` has them.
enum OperatingRoutes {
  /// The routes.
  ///
  /// - Parameter metrics: Returns the metrics as text.
  static func all(metrics: @escaping @Sendable () -> String) -> [Route] {
    [
      .text("/metrics", type: "text/plain; version=0.0.4; charset=utf-8", needs: .read, metrics),
      .document("/openapi.yaml", type: "application/yaml", Assets.bytes("openapi.yaml")),
      .entrance("/", Assets.bytes("Pages/try.html"), others: Array(pointer.utf8)),
      .page("/try", type: "text/html; charset=utf-8", Assets.bytes("Pages/try.html")),
      .page("/try.css", type: "text/css; charset=utf-8", Assets.bytes("Pages/try.css")),
      .page("/try.js", type: "text/javascript; charset=utf-8", Assets.bytes("Pages/try.js")),
      .page(
        "/app/martlet.js", type: "text/javascript; charset=utf-8",
        Assets.bytes("Pages/app/martlet.js")),
      .page(
        "/app/martlet.d.ts", type: "text/plain; charset=utf-8",
        Assets.bytes("Pages/app/martlet.d.ts")),
    ]
  }

  /// The response of `GET /` for clients that do not accept HTML.
  private static let pointer = """
    {"openapi":"/openapi.yaml","page":"/try","lists":"/v1/lists","reminders":"/v1/reminders"}
    """
}
