/// The members of a JSON object in the order in which they came, duplicates included: what a
/// duplicate means is for the reader to judge (RFC 8259 section 4). Names are compared byte by
/// byte.
public struct JSONObject: Hashable, Sendable {
  public struct Member: Hashable, Sendable {
    public var name: String
    public var value: JSONValue

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

  public var members: [Member]

  public init(members: [Member] = []) {
    self.members = members
  }

  public init(_ members: some Sequence<(String, JSONValue)>) {
    self.members = members.map { Member(name: $0, value: $1) }
  }

  public var count: Int { members.count }
  public var isEmpty: Bool { members.isEmpty }

  /// The value of the last member of that name, found by looking at one after the other. Setting it
  /// replaces that member's value in place, or appends a member; `nil` removes all of that name.
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

  /// Each name once, with the value of its last member.
  var lastMembers: [ExactText: JSONValue] {
    Dictionary(members.lazy.map { (ExactText($0.name), $0.value) }, uniquingKeysWith: { $1 })
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements)
  }
}
