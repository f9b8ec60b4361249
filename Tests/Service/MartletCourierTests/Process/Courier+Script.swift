import MartletCourier
import MartletTime
import TestSupport

extension Courier {
  /// A courier whose process is a shell script.
  convenience init(
    script: String, clock: Clock = .system,
    _ change: (inout CourierSettings) -> Void = { _ in }
  ) {
    var settings = CourierSettings(rules: OutgoingRules(), userAgent: "test/1")
    change(&settings)
    self.init(settings, executable: "/bin/sh", arguments: ["-c", script], clock: clock)
  }
}
