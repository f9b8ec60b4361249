/// A JSON object: its members in their original order, including duplicates, whose meaning is up to
/// the reader (RFC 8259 section 4). Names are compared by bytes.
public struct JSONObject: Hashable, Sendable {
  /// A member of an object.
  public struct Member: Hashable, Sendable {
    /// The member's name.
    public var name: String
    /// The member's value.
    public var value: JSONValue

    /// Makes a member.
    public init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }

    public static func == (left: Member, right: Member) -> Bool {
      ExactText.areEqual(left.name, right.name) && left.value == right.value
    }

    public func hash(into hasher: inout Hasher) {
      ExactText.hash(name, into: &hasher)
      hasher.combine(value)
    }
  }

  /// The members in order, including duplicates.
  public var members: [Member]

  /// Makes an object from its members.
  public init(members: [Member] = []) {
    self.members = members
  }

  /// Makes an object from pairs of a name and a value.
  public init(_ members: some Sequence<(String, JSONValue)>) {
    self.members = members.map { Member(name: $0, value: $1) }
  }

  /// The number of members, including duplicates.
  public var count: Int { members.count }
  /// Whether the object has no members.
  public var isEmpty: Bool { members.isEmpty }

  /// The value of the last member with that name, found by a linear search. Setting it replaces
  /// that value in place or appends a member. Setting `nil` removes all members with that name.
  public subscript(name: String) -> JSONValue? {
    get { members.last { ExactText.areEqual($0.name, name) }?.value }
    set {
      guard let newValue else {
        members.removeAll { ExactText.areEqual($0.name, name) }
        return
      }
      if let place = members.lastIndex(where: { ExactText.areEqual($0.name, name) }) {
        members[place].value = newValue
      } else {
        members.append(Member(name: name, value: newValue))
      }
    }
  }

  /// Each name with the value of its last member.
  var lastMembers: [ExactText: JSONValue] {
    Dictionary(members.lazy.map { (ExactText($0.name), $0.value) }, uniquingKeysWith: { $1 })
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Makes an object from a dictionary literal, with its members in order.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements)
  }
}
