import Dispatch
import MartletTime
import TestSupport

@testable import MartletServer

/// `martlet serve` in the process of the test, for limits that only code can set. It stops when the
/// object is released.
final class MartletInProcess: ServedMartlet {
  let folder: TemporaryFolder
  let database: String
  let port: UInt16
  private let composition: Composition

  /// Starts the server.
  ///
  /// - Parameters:
  ///   - arguments: Flags of `serve`.
  ///   - clock: The clock of the server.
  ///   - change: Sets limits for which there are no flags.
  init(
    _ arguments: [String] = [], in folder: TemporaryFolder? = nil, clock: Clock = .system,
    change: (inout LimitSetting.Bounds) -> Void = { _ in }
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    database = folder.file("martlet.db")
    let migrated = try MartletProcess.run(["migrate", "--database", database])
    guard migrated.code == 0 else { throw ChildProcess.Failure(description: migrated.errors) }
    let values = try Values(
      ["--port", "0", "--database", database] + arguments, environment: [:],
      settings: Command.serve.settings)
    var settings = try ServeSettings(values)
    change(&settings.bounds)
    composition = try Composition(settings, log: Log(.error), clock: clock)
    port = try composition.start()
  }

  deinit {
    let drained = DispatchSemaphore(value: 0)
    composition.service.drain(within: .zero) { drained.signal() }
    drained.wait()
    _ = composition.close()
  }
}
