import SwiftSyntax
import SwiftSyntaxMacros

/// Writes `$Name` and its type for a struct with `step` and `finalize`.
struct AccumulatorWriter {
  let shape: AccumulatorShape
  let type: String

  init(_ shape: AccumulatorShape, in context: some MacroExpansionContext) {
    self.shape = shape
    type = context.makeUniqueName(shape.step.plainName).text
  }

  var declarations: [DeclSyntax] {
    let kind = shape.inverse == nil ? "AggregateDatabaseFunction" : "WindowDatabaseFunction"
    let step = shape.step
    let place = step.access.prefix
    var call = step
    call.result = shape.finalize.result
    var result = shape.finalize
    result.parameters = []
    var members =
      step.storedTypes
      + (result.storedResult.map {
        $0.lines("Result", step.parameters.count, place)
      } ?? []) + step.traitLines + call.callAsFunction(isAggregate: true)
    members += ["\(place)func makeState() -> \(shape.type) { \(shape.type)() }"]
    members += method(step, "step")
    if let inverse = shape.inverse { members += method(inverse, "inverse") }
    members += block(
      """
      \(place)func finalize(_ state: inout \(shape.type)) throws -> MartletQueryBuilder.QueryBinding
      """, shape.finalize.answer("state.finalize()", throwing: shape.finalize.canThrow))
    // Static in a nested type: an instance property would need an instance.
    return [
      declaration(
        block(
          "\(place)nonisolated \(isNested ? "static " : "")var $\(step.plainName): \(type)",
          ["\(type)()"])),
      declaration(
        block("\(place)nonisolated struct \(type): MartletQueryBuilder.\(kind)", members)),
    ]
  }

  private var isNested: Bool { shape.isNested }

  private func method(_ method: FunctionShape, _ name: String) -> [String] {
    let arguments = method.parameters.map {
      ($0.label == "_" ? "" : "\($0.label): ") + "arguments.decode(\($0.metatype))"
    }
    let attempt = method.canThrow || !arguments.isEmpty ? "try " : ""
    return block(
      """
      \(shape.step.access.prefix)func \(name)(_ state: inout \(shape.type), \
      _ arguments: inout MartletQueryBuilder.RowReader) throws
      """, ["\(attempt)state.\(name)(\(arguments.joined(separator: ", ")))"])
  }
}
