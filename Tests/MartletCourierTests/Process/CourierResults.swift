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

  /// The result of a request.
  func result(
    _ request: CourierRequest = CourierRequest("https://example.com/")
  ) async -> CourierResult {
    await withCheckedContinuation { continuation in
      send(request) { continuation.resume(returning: $0) }
    }
  }

  /// Whether the process can work.
  func checked() async -> CourierResult.Failure? {
    await withCheckedContinuation { continuation in
      check { continuation.resume(returning: $0) }
    }
  }
}

extension CourierResult {
  /// The failure; `nil` if there is an answer.
  var failure: Failure? { if case .failed(let failure) = outcome { failure } else { nil } }
  /// The status; `nil` if there is no answer.
  var status: Int? { if case .answered(let status) = outcome { status } else { nil } }
}
