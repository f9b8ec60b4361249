import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletTime

/// The filter of a smart list: an object with the names and values of the parameters of
/// `GET /v1/reminders`, and with numbers and Booleans as JSON has them.
struct StoredFilter {
  private let members: JSONObject

  init(_ members: JSONObject) {
    self.members = members
  }

  /// The kind of a parameter's value in JSON.
  private enum Kind {
    case bool, text, texts, numbers, numberOrText

    /// The value as a query has it; `nil` if it is something else.
    func values(_ value: JSONValue) -> [String]? {
      switch (self, value) {
      case (.bool, .bool(let flag)): [String(flag)]
      case (.text, .string(let text)), (.texts, .string(let text)),
        (.numberOrText, .string(let text)):
        [text]
      case (.numbers, .integer(let number)), (.numberOrText, .integer(let number)):
        [String(number)]
      case (.texts, .array(let elements)), (.numbers, .array(let elements)):
        all(elements)
      default: nil
      }
    }

    private func all(_ elements: [JSONValue]) -> [String]? {
      guard (1...StoredFilter.mostValues).contains(elements.count) else { return nil }
      var texts: [String] = []
      for element in elements {
        guard element.array == nil, let value = values(element) else { return nil }
        texts += value
      }
      return texts
    }

    var expected: String {
      switch self {
      case .bool: "true or false"
      case .text: "a string"
      case .texts: "a string, or an array of 1 to \(StoredFilter.mostValues) strings"
      case .numbers: "a whole number, or an array of 1 to \(StoredFilter.mostValues) of them"
      case .numberOrText: "a whole number, or \"none\""
      }
    }
  }

  /// The maximum number of values of a parameter.
  static let mostValues = 100

  /// The maximum number of members in a request. It is larger than the number of parameters, so
  /// that unknown names are still reported one by one.
  static let mostMembers = 50

  /// Whether there is such a parameter.
  static func knows(_ name: String) -> Bool { kinds[name] != nil }

  private static let kinds: [String: Kind] = [
    "listID": .numbers, "parentID": .numberOrText, "status": .text, "completed": .bool,
    "flagged": .bool, "priority": .texts, "recurring": .bool, "available": .bool, "tag": .texts,
    "due": .text, "dueWithin": .text, "dueBefore": .text, "dueAfter": .text, "q": .text,
    "timeZone": .text,
  ]

  /// Reads the filter.
  ///
  /// - Parameters:
  ///   - pointer: The place of the filter in the body, for faults.
  ///   - zone: The zone of a filter that names none.
  /// - Returns: The filter, and its faults.
  func read(at pointer: String, zone: ZoneInfo) -> (filter: ReminderFilter, faults: [FieldError]) {
    var faults: [FieldError] = []
    var texts: [(name: String, value: String)] = []
    var seen: Set<String> = []
    for member in members.members {
      let name = member.name
      guard seen.insert(name).inserted else {
        faults.append(StoredFilter.fault(pointer, name, "appears more than once"))
        continue
      }
      guard let kind = StoredFilter.kinds[name] else {
        // The reader of the parameters knows what to suggest.
        texts.append((name, ""))
        continue
      }
      guard let values = kind.values(member.value) else {
        let got = member.value.kind
        faults.append(
          StoredFilter.fault(pointer, name, "expected \(kind.expected), got \(got)"))
        continue
      }
      texts += values.map { (name, $0) }
    }
    var parameters = QueryParameters(texts, in: pointer)
    let filter = parameters.reminderFilter(zone: zone)
    return (filter, faults + parameters.faults)
  }

  private static func fault(_ pointer: String, _ name: String, _ detail: String) -> FieldError {
    FieldError(.pointer(pointer + JSONPointer([name]).description), detail)
  }
}

extension SmartList {
  /// The filter; `nil` if another program has stored one that cannot be read, which matches
  /// nothing.
  ///
  /// - Parameter zone: The zone of a filter that names none.
  func reminderFilter(in zone: ZoneInfo) -> ReminderFilter? {
    let (read, faults) = StoredFilter(SmartList.members(of: filter)).read(at: "", zone: zone)
    return faults.isEmpty ? read : nil
  }

  /// The order of the reminders. One that cannot be read is the default.
  var reminderSort: ReminderSort {
    guard let sort else { return ReminderSort() }
    var parameters = QueryParameters([("sort", sort)], in: "")
    let read = parameters.reminderSort()
    return parameters.faults.isEmpty ? read : ReminderSort()
  }
}
