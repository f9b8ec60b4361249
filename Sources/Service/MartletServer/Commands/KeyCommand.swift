import Glibc
import MartletHTTP
import MartletLiveAPI
import MartletReminders
import MartletSQLite
import MartletStore
import MartletTime

/// `martlet key create`, `martlet key list` and `martlet key revoke ID`.
///
/// A running server notices the changes within its polling interval, a tenth of a second.
enum KeyCommand {
  static func run(_ values: Values) throws {
    let operands = values.operands
    switch (operands.first, operands.count) {
    case ("create", 1): try create(values)
    case ("list", 1): try list(values)
    case ("revoke", 2): try revoke(operands[1], values)
    case ("revoke", _): throw UsageError("usage: key revoke ID; key list shows the IDs")
    default:
      throw UsageError(
        "usage: key create --name NAME --scope SCOPE, key list, or key revoke ID; not \"\(operands.joined(separator: " "))\""
      )
    }
  }

  private static func create(_ values: Values) throws {
    let name = values.text(.name)
    guard APIKeys.isName(name) else {
      throw UsageError(
        "\(values.name(.name)) must say what the key is for, in 1 to 100 characters without control characters"
      )
    }
    guard let scope = Rights.Scope(rawValue: values.text(.scope)) else {
      throw UsageError(
        "\(values.name(.scope)) must be read, write or admin, not \"\(values.text(.scope))\"")
    }
    let lists = try values.given(.list).map { given in
      guard let id = Int(given.text), id > 0 else {
        throw UsageError("\(given.name) must be the ID of a list, not \"\(given.text)\"")
      }
      return id
    }
    guard lists.isEmpty || scope != .admin else {
      throw UsageError("a key with the scope admin cannot be limited to lists")
    }
    let expires = values.text(.expires)
    guard expires == "0" || !(expires.last?.isNumber ?? false) else {
      throw UsageError(
        "\(values.name(.expires)) needs a unit: \(expires)d for days, \(expires)h for hours")
    }
    let lifetime = try values.integer(.expires)
    let end =
      lifetime > 0 ? Clock.system.now().adding(milliseconds: Int64(lifetime)) : nil
    let rights = lists.isEmpty ? Rights(scope) : Rights(scope, parts: lists)
    let (id, text) = try make(name, rights, expiresAt: end, values)
    let holds = end.map { "until \(RFC3339.string($0))" } ?? "until it is revoked"
    // Only the key goes to standard output: KEY=$(martlet key create …)
    Output.line(
      "key \(id) \"\(name)\": \(describe(rights)), \(holds). It is shown only once:",
      to: STDERR_FILENO)
    Output.line(text)
  }

  /// Makes a key, in a cluster by way of its primary. Returns its ID and its text.
  private static func make(
    _ name: String, _ rights: Rights, expiresAt end: Instant?, _ values: Values
  ) throws -> (String, String) {
    if DatabaseFile.isOfCluster(values.text(.database)) {
      let answer = try NodeControl(values).onPrimary(
        .post, "/cluster/keys", body: NodeOperations.document(name, rights, expiresAt: end))
      let words = answer.split(whereSeparator: \.isWhitespace).map(String.init)
      guard words.count == 2 else { throw Failure("the primary has sent no key") }
      return (words[0], words[1])
    }
    var made: (id: Int, text: String)?
    try withDatabase(values) { database in
      made = try database.write { try create(name, rights, expiresAt: end, in: $0) }
    }
    guard let made else { throw Failure("no key was made") }
    return ("\(made.id)", made.text)
  }

  /// Makes a key in a database.
  static func create(
    _ name: String, _ rights: Rights, expiresAt end: Instant?, in db: Connection
  ) throws -> (id: Int, text: String) {
    for list in rights.parts ?? [] where try !RemindersList.exists(list, in: db) {
      throw Failure("list \(list) does not exist")
    }
    return try APIKeys.create(name, rights, expiresAt: end, now: Clock.system.now(), in: db)
  }

  private static func list(_ values: Values) throws {
    let connection = try DatabaseFile.readingCurrent(values.text(.database))
    defer { connection.close() }
    let keys = try APIKeys.all(in: connection)
    guard !keys.isEmpty else { return Output.line("there are no keys", to: STDERR_FILENO) }
    let now = Clock.system.now()
    var rows = [["ID", "NAME", "SCOPE", "CREATED", "VALID"]]
    for key in keys {
      rows.append([
        "\(key.id)", key.name, describe(key.rights), RFC3339.string(key.createdAt),
        state(key, now),
      ])
    }
    for line in TextTable.lines(rows) { Output.line(line) }
  }

  private static func revoke(_ text: String, _ values: Values) throws {
    guard let id = Int(text), id > 0 else {
      throw UsageError("key revoke ID: \"\(text)\" is not an ID; key list shows the IDs")
    }
    if DatabaseFile.isOfCluster(values.text(.database)) {
      return print(
        try NodeControl(values).onPrimary(.delete, "/cluster/keys/\(id)"), terminator: "")
    }
    try withDatabase(values) { database in
      let now = Clock.system.now()
      guard try database.write({ try APIKeys.revoke(id, now: now, in: $0) }) else {
        throw Failure("key \(id) does not exist; key list shows all keys")
      }
      print("key \(id) is revoked")
    }
  }

  /// Opens the database and migrates it if necessary.
  ///
  /// A missing file is an error: with a mistyped path, the key would belong to an unused database.
  private static func withDatabase(_ values: Values, _ body: (EmbeddedDatabase) throws -> Void)
    throws
  {
    let path = values.text(.database)
    let connection = try DatabaseFile.reading(path)
    let isCurrent = try RemindersDatabase.pendingMigrations(connection).isEmpty
    connection.close()
    if !isCurrent { try DatabaseFile.migrate(path) }
    try DatabaseFile.withDatabase(path, body)
  }

  private static func state(_ key: APIKeys.Key, _ now: Instant) -> String {
    if let revoked = key.revokedAt { return "revoked \(RFC3339.string(revoked))" }
    guard let end = key.expiresAt else { return "until it is revoked" }
    return "\(key.isInForce(at: now) ? "until" : "expired") \(RFC3339.string(end))"
  }

  private static func describe(_ rights: Rights) -> String {
    guard let lists = rights.parts else { return rights.scope.rawValue }
    let ids = lists.map(String.init).joined(separator: ", ")
    return
      "\(rights.scope.rawValue) in \(lists.isEmpty ? "no list" : "\(lists.count == 1 ? "list" : "lists") \(ids)")"
  }
}
