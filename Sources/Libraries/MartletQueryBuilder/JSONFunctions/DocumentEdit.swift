/// A path and its new value: two arguments of `json_set`, `json_insert` or `json_replace`.
///
/// Setting a case of an enum replaces the enum's whole value, because a document with two cases
/// cannot be decoded. The same goes for a member inside a case. If the enum is that case already,
/// the case's other members stay. If it is another case and the member alone is not a complete
/// value, nothing changes.
struct DocumentEdit {
  var place: QueryFragment
  var value: QueryFragment
  /// The change reads the document, so it has to apply to the result of all earlier changes.
  var readsDocument = false

  var arguments: [QueryFragment] { [place, value] }

  enum Kind: String { case set, insert, replace }

  init(_ kind: Kind, _ steps: [JSONStep], in document: QueryFragment, to value: QueryFragment) {
    self.init(place: jsonPath(JSONStep.path(steps[...])), value: value)
    switch kind {
    case .set: self = .setting(steps[...], in: document, to: value)
    case .insert:
      replaceLastCase(steps)
      leaveOtherCases(steps, in: document)
    case .replace: replaceLastCase(steps)
    }
  }

  private init(place: QueryFragment, value: QueryFragment, readsDocument: Bool = false) {
    self.place = place
    self.value = value
    self.readsDocument = readsDocument
  }

  private static func setting(
    _ steps: ArraySlice<JSONStep>, in document: QueryFragment, to value: QueryFragment
  ) -> DocumentEdit {
    guard let index = steps.firstIndex(where: { $0.enumCase != nil }),
      let name = steps[index].enumCase
    else { return DocumentEdit(place: jsonPath(JSONStep.path(steps)), value: value) }
    let place = jsonPath(JSONStep.path(steps[..<index]))
    let key = literal(name)
    let rest = steps[(index + 1)...]
    guard let member = rest.first else {
      return DocumentEdit(place: place, value: "json_object(\(key), \(value))")
    }
    let old: QueryFragment = "(\(document) -> \(jsonPath(JSONStep.path(steps[...index]))))"
    let empty: QueryFragment = member.isPosition ? "'[]'" : "'{}'"
    let content: QueryFragment = "coalesce(nullif(\(old), 'null'), \(empty))"
    let inner = setting(rest, in: content, to: value)
    var new: QueryFragment =
      "json_object(\(key), json_set(\(content), \(inner.place), \(inner.value)))"
    if !member.isEnough {
      new = "json(CASE WHEN \(old) IS NOT NULL THEN \(new) ELSE (\(document) -> \(place)) END)"
    }
    return DocumentEdit(place: place, value: new, readsDocument: true)
  }

  private mutating func replaceLastCase(_ steps: [JSONStep]) {
    guard let name = steps.last?.enumCase else { return }
    place = jsonPath(JSONStep.path(steps.dropLast()))
    value = "json_object(\(Self.literal(name)), \(value))"
  }

  /// If an enum on the path is another case, the path becomes that of the document itself.
  /// `json_insert` does nothing there, because something exists.
  private mutating func leaveOtherCases(_ steps: [JSONStep], in document: QueryFragment) {
    var conditions: [QueryFragment] = []
    for (index, step) in steps.enumerated().dropLast() where step.enumCase != nil {
      let isCase: QueryFragment =
        "(\(document) -> \(jsonPath(JSONStep.path(steps[...index])))) IS NOT NULL"
      let isNothing: QueryFragment =
        "(\(document) -> \(jsonPath(JSONStep.path(steps[..<index])))) IS NULL"
      conditions.append(steps[index + 1].isEnough ? "(\(isCase) OR \(isNothing))" : isCase)
    }
    guard !conditions.isEmpty else { return }
    place = "CASE WHEN \(conditions.joined(" AND ")) THEN \(place) ELSE '$' END"
    readsDocument = true
  }

  private static func literal(_ name: String) -> QueryFragment {
    QueryFragment(raw: quoted(literal: name))
  }
}
