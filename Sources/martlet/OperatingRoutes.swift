import HTTPServer
import LiveAPI

/// The routes of whoever operates the service: health, metrics, and the contract itself.
enum OperatingRoutes {
  static func all(
    isReady: @escaping @Sendable () -> Bool, metrics: @escaping @Sendable () -> String
  ) -> [Route] {
    [
      .livez, .readyz(isReady),
      .text("/metrics", type: "text/plain; version=0.0.4; charset=utf-8", metrics),
      .document("/openapi.yaml", type: "application/yaml", Assets.bytes("openapi.yaml")),
    ]
  }
}
