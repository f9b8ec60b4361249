import HTTPServer
import LiveAPI

/// The routes of whoever operates the service: health, metrics, the contract itself, and a page to try it.
enum OperatingRoutes {
  static func all(
    isReady: @escaping @Sendable () -> Bool, metrics: @escaping @Sendable () -> String
  ) -> [Route] {
    [
      .livez, .readyz(isReady),
      .text("/metrics", type: "text/plain; version=0.0.4; charset=utf-8", needs: .read, metrics),
      .document("/openapi.yaml", type: "application/yaml", Assets.bytes("openapi.yaml")),
      .page("/try", type: "text/html; charset=utf-8", Assets.bytes("Pages/try.html")),
      .page("/try.css", type: "text/css; charset=utf-8", Assets.bytes("Pages/try.css")),
      .page("/try.js", type: "text/javascript; charset=utf-8", Assets.bytes("Pages/try.js")),
    ]
  }
}
