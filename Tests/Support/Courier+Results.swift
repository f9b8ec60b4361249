import MartletCourier

extension Courier {
  /// The result of a request.
  public func result(
    _ request: CourierRequest = CourierRequest("https://example.com/")
  ) async -> CourierResult {
    await withCheckedContinuation { continuation in
      send(request) { continuation.resume(returning: $0) }
    }
  }

  /// A new key pair for push services.
  public func madeKey() async throws -> VAPIDKey {
    try await withCheckedContinuation { continuation in
      makeKey { continuation.resume(returning: $0) }
    }.get()
  }

  /// Why the process cannot work; `nil` if it can.
  public func checked() async -> CourierResult.Failure? {
    await withCheckedContinuation { continuation in
      check { continuation.resume(returning: $0) }
    }
  }
}

extension CourierResult {
  /// The failure; `nil` if there is an answer.
  public var failure: Failure? {
    if case .failed(let failure) = outcome { failure } else { nil }
  }
  /// The status; `nil` if there is no answer.
  public var status: Int? { if case .answered(let status) = outcome { status } else { nil } }
}
