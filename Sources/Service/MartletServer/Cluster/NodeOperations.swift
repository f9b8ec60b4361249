import Dispatch
import Glibc
import MartletCluster
import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletSQLite
import MartletStore
import MartletTime

/// The requests of an operator's commands to a running node: `martlet key` and `martlet restore`
/// with a file that belongs to a cluster.
enum NodeOperations {
  private static let queue = DispatchQueue(label: "cluster.operations", qos: .utility)

  static func addRoutes(to router: inout Router, _ node: ClusterNode) {
    router.on(.post, NodeServer.pattern("/cluster/keys")) { request, _ in
      run { try create(request, in: node.database) }
    }
    router.on(.delete, NodeServer.pattern("/cluster/keys/{id}")) { request, _ in
      run {
        guard let id = request.integer("id").map({ Int($0) }) else {
          throw Failure("the ID is no number")
        }
        let now = Clock.system.now()
        let isThere = try node.database.write { try APIKeys.revoke(id, now: now, in: $0) }
        guard isThere else { throw Failure("key \(id) does not exist; key list shows all keys") }
        return "key \(id) is revoked\n"
      }
    }
    router.on(.post, NodeServer.pattern("/cluster/check")) { _, _ in
      run { "\(try node.database.checkContent())\n" }
    }
    router.on(.post, NodeServer.pattern("/cluster/copy")) { _, _ in
      run {
        guard !node.isPrimary else {
          throw Failure("it is the primary: let another node lead before")
        }
        node.copyFromPrimary()
        return "the node takes a copy of the primary's file\n"
      }
    }
    router.on(.post, NodeServer.pattern("/cluster/restore")) { request, _ in
      run {
        // The body is the path of a file of this machine.
        try restore(String(decoding: request.body.bytes, as: UTF8.self), in: node.database)
      }
    }
  }

  /// Answers on another thread with a text, or with 409 and the reason.
  static func run(_ body: @escaping @Sendable () throws -> String) -> Outcome {
    .later { responder in
      queue.async {
        // From here on a timeout does not mean that nothing was done.
        guard responder.commit() else { return }
        do { responder.respond(.text(try body())) } catch WriteError.notPrimary {
          responder.respond(.text("this node is not the primary\n", .misdirectedRequest))
        } catch { responder.respond(.text("\(error)\n", .conflict)) }
      }
    }
  }

  /// The body of a request to make a key.
  static func document(
    _ name: String, _ rights: Rights, expiresAt: Instant?
  ) -> SharedBytes {
    let buffer = ByteBuffer(capacity: 256)
    JSONWriter.object(into: buffer) { object in
      object.member("name", name)
      object.member("scope", rights.scope.rawValue)
      if let lists = rights.parts {
        object.member("lists") { buffer in
          buffer.append(utf8: "[\(lists.map(String.init).joined(separator: ","))]")
        }
      }
      object.member("expiresAt", expiresAt.map { RFC3339.string($0) })
    }
    return buffer.share()
  }

  private static func create(_ request: Request, in database: EmbeddedDatabase) throws -> String {
    guard let object = try? JSONValue.parse(request.body.bytes).object,
      let name = object["name"]?.string,
      let scope = object["scope"]?.string.flatMap({ Rights.Scope(rawValue: $0) })
    else { throw Failure("the description of the key has another form") }
    let lists = object["lists"]?.array?.compactMap { $0.int64.map { Int($0) } }
    let rights = lists.map { Rights(scope, parts: $0) } ?? Rights(scope)
    let end = try object["expiresAt"]?.string.map { try RFC3339.parse($0) }
    let key = try database.write { db in
      try KeyCommand.create(name, rights, expiresAt: end, in: db)
    }
    return "\(key.id) \(key.text)\n"
  }

  /// Gives all nodes the content of a backup, which is a file of this machine.
  private static func restore(_ file: String, in database: EmbeddedDatabase) throws -> String {
    guard file.hasPrefix("/") else { throw Failure("\(file) is no absolute path") }
    try database.replaceContent { copy in
      try DatabaseCopy.restore(
        file, to: copy, replaces: true, check: DatabaseFile.checkBackup(file),
        change: { try BackupCommand.startAnew($0) })
      let connection = try DatabaseFile.reading(copy)
      defer { connection.close() }
      guard try RemindersDatabase.pendingMigrations(connection).isEmpty else {
        throw Failure(
          "\(file) is a backup of an older version: restore it into a single file first")
      }
    }
    return "all nodes have the content of \(file)\n"
  }
}
