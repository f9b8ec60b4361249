import MartletCourier

/// `martlet courier`: the process that sends requests to other servers. Only the server starts it.
enum CourierCommand {
  static func run() throws -> Never {
    do {
      try CourierProgram.run()
    } catch {
      throw UsageError(error.description)
    }
  }
}
