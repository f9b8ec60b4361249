import MartletHTTP
import MartletJSON
import MartletStore

/// Several changes in one transaction, all or none of them: `{"operations": […]}`.
///
/// They are one commit, so subscribers receive their effects in one step. Other writers wait until
/// the whole batch is done.
struct Batch: Sendable {
  /// The maximum number of operations.
  static let most = 500

  private let operations: [BatchOperation]

  init(_ request: Request) throws(APIProblem) {
    var body = try Body(request)
    guard let list = body.value("operations")?.array, (1...Batch.most).contains(list.count) else {
      body.fail("operations", "expected 1 to \(Batch.most) operations")
      try body.finish()
      throw APIProblem(.invalidBody, "The batch has no operations.")
    }
    try body.finish()
    var operations: [BatchOperation] = []
    var names: Set<String> = []
    for (place, value) in list.enumerated() {
      do throws(APIProblem) {
        let operation = try BatchOperation(value)
        if let name = operation.name, !names.insert(name).inserted {
          throw APIProblem(
            .invalidBody, "Two operations have the same name.",
            errors: [FieldError(.pointer("/name"), "is already the name of another operation")])
        }
        operations.append(operation)
      } catch {
        throw error.within("/operations/\(place)")
      }
    }
    self.operations = operations
  }

  /// Runs the operations and returns their results. `find` finds the route of one operation, and
  /// `perform` runs it as a request of its own.
  func run(
    _ request: Request, _ context: Context, mostBytes: Int,
    find: (Request) throws -> WriteRoute, perform: (Request, WriteRoute) throws -> WrittenAnswer
  ) throws -> WriteRoute.Done {
    var answers: [(name: String?, answer: WrittenAnswer)] = []
    var made: [String: BatchOperation.Made] = [:]
    var size = 0
    for (place, operation) in operations.enumerated() {
      var pointer = "/operations/\(place)"
      do {
        let part = try operation.request(made, like: request)
        let route = try find(part)
        pointer += "/body"
        let answer = try perform(part, route)
        answers.append((operation.name, answer))
        size += answer.body?.count ?? 0
        guard size <= mostBytes else {
          throw ReadError.tooLarge(limit: mostBytes)
        }
        if let name = operation.name, let location = answer.location {
          made[name] = try BatchOperation.Made(answer, location, peer: request.peer)
        }
      } catch {
        throw Batch.failure(error, operation, place, pointer, context)
      }
    }
    let hasSecrets = answers.contains { $0.answer.kept != nil }
    return .results(
      Batch.results(answers), kept: hasSecrets ? Batch.results(answers, areKept: true) : nil)
  }

  /// A client error of an operation becomes the problem of the batch. Other errors, such as a full
  /// disk, are passed on.
  private static func failure(
    _ error: any Error, _ operation: BatchOperation, _ place: Int, _ pointer: String,
    _ context: Context
  ) -> any Error {
    guard var problem = context.refusal(of: error), problem.type.status.rawValue < 500 else {
      return error
    }
    if operation.body == nil, problem.type == .malformedJSON {
      problem = APIProblem(
        problem.type, "The operation has no body.",
        errors: [FieldError(.pointer(""), "is required")])
    }
    let end = problem.detail.hasSuffix(".") ? "" : "."
    var failed = APIProblem(
      .batchFailed,
      "The operation at /operations/\(place) failed: \(problem.detail)\(end) Nothing was done.",
      errors: problem.within(pointer).errors)
    failed.cause = .init(operation: place, type: problem.type)
    failed.location = problem.location
    return failed
  }

  /// - Parameter areKept: For a repeated request, without secrets.
  private static func results(
    _ answers: [(name: String?, answer: WrittenAnswer)], areKept: Bool = false
  ) -> SharedBytes {
    let buffer = ByteBuffer(capacity: 4096)
    JSONWriter.object(into: buffer) { object in
      object.member("results") { buffer in
        JSONWriter.array(into: buffer) { array in
          for (name, answer) in answers {
            array.element { buffer in
              JSONWriter.object(into: buffer) { object in
                if let name { object.member("name", name) }
                object.member("status", Int(answer.status.rawValue))
                if let location = answer.location { object.member("location", location) }
                if let tag = answer.tag { object.member("etag", tag) }
                let body = areKept ? answer.kept ?? answer.body : answer.body
                if let body { object.member("body") { $0.append(body.bytes) } }
              }
            }
          }
        }
      }
    }
    return buffer.share()
  }
}
