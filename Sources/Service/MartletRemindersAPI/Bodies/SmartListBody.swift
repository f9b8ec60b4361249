import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletTime

/// The body of a request that creates or changes a smart list.
struct SmartListBody {
  /// The fields to set.
  var values = SmartListRepository.Values()
  /// Read-only members of the body, which must equal the stored values.
  var readOnly: [JSONObject.Member] = []

  /// Reads the body of a request that creates a smart list. `title` and `filter` are required.
  init(creating request: Request) throws(APIProblem) {
    var body = try Body(request)
    read(&body, isPatch: false)
    values.uid = body.uid()
    body.require("title", values.title != nil)
    body.require("filter", values.filter != nil)
    try body.finish()
  }

  /// Reads a JSON Merge Patch (RFC 7396). Absent members stay unchanged, also those of `filter`.
  init(changing request: Request) throws(APIProblem) {
    var body = try Body(request)
    read(&body, isPatch: true)
    body.readOnly("id", "uid", "position", "createdAt", "updatedAt")
    // They change by themselves, so what a client has seen may be out of date.
    for name in ["count", "isMore"] { _ = body.value(name) }
    readOnly = body.readOnly
    try body.finish()
  }

  /// Reads a smart list of a file.
  static func transfer(_ body: inout Body) -> TransferSmartList {
    var read = SmartListBody()
    // One that cannot be read here matches nothing, as in the database that it comes from.
    if case .object(let filter)? = body.value("filter"), filter.count <= StoredFilter.mostMembers {
      read.values.filter = filter
    }
    // An order that cannot be read is the default, as in that database.
    if let sort = body.nullableString("sort", 1...50), SmartListBody.faults(ofSort: sort).isEmpty {
      read.values.sort = .some(sort)
    }
    read.read(&body, isPatch: false, isTransfer: true)
    read.values.uid = body.uid()
    body.require("title", read.values.title != nil)
    return TransferSmartList(
      read.values, createdAt: body.instant("createdAt"), updatedAt: body.instant("updatedAt"))
  }

  private init() {}

  private mutating func read(_ body: inout Body, isPatch: Bool, isTransfer: Bool = false) {
    values.title = body.string("title", ListBody.titleLengths)
    values.color = ListBody.color(&body)
    values.icon = body.string("icon", 0...SmartListRepository.longestIcon)
    if !isTransfer { values.sort = SmartListBody.sort(&body) }
    values.filter = values.filter ?? SmartListBody.filter(&body, isPatch: isPatch)
  }

  private static func sort(_ body: inout Body) -> String?? {
    guard let sort = body.nullableString("sort", 1...50) else { return nil }
    for fault in faults(ofSort: sort) { body.fail("sort", fault) }
    return .some(sort)
  }

  private static func faults(ofSort sort: String?) -> [String] {
    guard let sort else { return [] }
    var parameters = QueryParameters([("sort", sort)], in: "")
    _ = parameters.reminderSort()
    return parameters.faults.map(\.detail)
  }

  private static func filter(_ body: inout Body, isPatch: Bool) -> JSONObject? {
    guard let value = body.value("filter") else { return nil }
    guard case .object(let members) = value else {
      body.fail("filter", "expected an object, got \(value.kind)")
      return nil
    }
    guard members.count <= StoredFilter.mostMembers else {
      body.fail("filter", "expected at most \(StoredFilter.mostMembers) members")
      return nil
    }
    // What a patch removes has no value to check.
    for member in members.members
    where isPatch && member.value.isNull && !StoredFilter.knows(member.name) {
      body.fail("filter\(JSONPointer([member.name]))", "unknown")
    }
    let set = JSONObject(members: members.members.filter { !(isPatch && $0.value.isNull) })
    for fault in StoredFilter(set).read(at: "filter", zone: .utc).faults {
      if case .pointer(let place) = fault.place { body.fail(place, fault.detail) }
    }
    return members
  }
}
