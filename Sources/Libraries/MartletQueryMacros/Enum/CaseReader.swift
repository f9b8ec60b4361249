import SwiftSyntax
import SwiftSyntaxMacros

extension PropertyReader {
  /// Reads the cases of an enum. Each case is a column, or a group of columns, for its associated
  /// value.
  mutating func read(_ declaration: EnumCaseDeclSyntax) {
    var attribute = ColumnAttribute()
    if let column = declaration.attributes.column {
      guard let given = ColumnAttribute(column, in: context) else {
        failed = true
        return
      }
      attribute = given
    }
    for element in declaration.elements { read(element, attribute) }
  }

  private mutating func read(_ element: EnumCaseElementSyntax, _ attribute: ColumnAttribute) {
    let name = element.name.trimmedDescription
    let parameters = element.parameterClause?.parameters ?? []
    guard let parameter = parameters.first, parameters.count == 1 else {
      return report(.payloadCount(name), at: element.name)
    }
    if parameter.type.isOptional { return report(.optionalPayload(name), at: parameter.type) }
    if attribute.representation == nil, let json = parameter.type.onlyAsJSON {
      let column = AttributeSyntax("@Column(as: \(raw: json).JSONRepresentation.self) ")
      guard let declaration = element.parent?.parent?.as(EnumCaseDeclSyntax.self) else { return }
      let fixed = declaration.with(\.caseKeyword.leadingTrivia, [])
        .with(\.attributes, [.attribute(column)] + declaration.attributes)
      return report(
        .notRepresentable(type: parameter.type.trimmedDescription), at: parameter.type,
        fixIts: [Fix.storeAsJSON(json).replacing(declaration.trimmed, with: fixed.trimmed)])
    }
    let type = parameter.type.text(selfName: selfName)
    let label = parameter.firstName?.trimmedDescription
    properties.append(
      TableProperty(
        name: name, column: attribute.name ?? "\"\(name.filter { $0 != "`" })\"", type: type,
        representation: (attribute.representation ?? type) + "?", isOptional: true,
        defaultValue: parameter.defaultValue?.value.text(selfName: selfName), access: .all,
        generated: nil, isMarkedKey: false, isLazy: false,
        payload: TableProperty.Payload(
          representation: attribute.representation ?? type, label: label == "_" ? nil : label),
        stored: attribute.representation != nil
          ? nil
          : StoredType(
            parameter.type, type, isAlone: attribute.name != nil, at: element, in: context),
        node: Syntax(element)))
  }
}
