/// JSON Merge Patch, RFC 7396. Of duplicate members the last one counts.
public enum MergePatch {
  /// RFC 7396 section 2: members of `patch` replace those of `target`, `null` removes, everything
  /// but an object replaces the whole. Members that stay keep their place, new ones follow in the
  /// patch's order.
  public static func apply(_ patch: JSONValue, to target: JSONValue) -> JSONValue {
    guard case .object(let patch) = patch else { return patch }
    // A member that is null is gone in the end; until then its slot keeps the others' places
    // stable.
    var members = target.object?.members ?? []
    var places = Dictionary(
      members.enumerated().map { (ExactText($1.name), $0) }, uniquingKeysWith: { $1 })
    if places.count < members.count {
      members = members.enumerated().filter { places[ExactText($1.name)] == $0 }.map(\.element)
      places = Dictionary(
        uniqueKeysWithValues: members.enumerated().map { (ExactText($1.name), $0) })
    }
    var removed: Set<ExactText> = []
    for (name, change) in patch.lastMembersInOrder {
      if change.isNull {
        if places[name] != nil { removed.insert(name) }
      } else if let place = places[name] {
        members[place].value = apply(change, to: members[place].value)
      } else {
        places[name] = members.count
        members.append(JSONObject.Member(name: name.text, value: apply(change, to: .null)))
      }
    }
    if !removed.isEmpty { members.removeAll { removed.contains(ExactText($0.name)) } }
    return .object(JSONObject(members: members))
  }

  /// The patch that makes `new` of `old`: `apply(patch, to: old)` is equivalent to `new`. `{}` when
  /// two objects do not differ.
  ///
  /// `nil` where no patch can do it: an object of `new` has a member that is `null`, and `old` has
  /// not the same one. A merge patch can only remove such members.
  public static func diff(from old: JSONValue, to new: JSONValue) -> JSONValue? {
    guard case .object(let newObject) = new else { return new }
    guard case .object(let oldObject) = old else { return hasNullMember(new) ? nil : new }
    let oldMembers = oldObject.lastMembers
    let newMembers = newObject.lastMembers
    var changes: [JSONObject.Member] = []
    for (name, _) in oldObject.lastMembersInOrder where newMembers[name] == nil {
      changes.append(JSONObject.Member(name: name.text, value: .null))
    }
    for (name, value) in newObject.lastMembersInOrder {
      let former = oldMembers[name]
      if let former, former.isEquivalent(to: value) { continue }
      if value.isNull { return nil }
      guard let change = diff(from: former ?? .null, to: value) else { return nil }
      changes.append(JSONObject.Member(name: name.text, value: change))
    }
    return .object(JSONObject(members: changes))
  }

  /// Whether an object in it, outside of arrays, has a member that is `null`. Arrays are replaced
  /// as they are.
  private static func hasNullMember(_ value: JSONValue) -> Bool {
    guard case .object(let object) = value else { return false }
    return object.lastMembers.values.contains { $0.isNull || hasNullMember($0) }
  }
}

extension JSONObject {
  /// Each name once, with its last value, in the order of these.
  fileprivate var lastMembersInOrder: [(name: ExactText, value: JSONValue)] {
    var seen: Set<ExactText> = []
    return members.reversed().filter { seen.insert(ExactText($0.name)).inserted }
      .reversed().map { (ExactText($0.name), $0.value) }
  }
}
