import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletSQLite
import MartletTime

extension Route {
  /// The routes that list, create and revoke API keys below `pattern`. Callers need the scope
  /// `admin`.
  ///
  /// ```
  /// GET    /v1/keys      → {"items": [{"id": 1, "name": "phone", "scope": "write", …}], …}
  /// POST   /v1/keys      {"name": "phone", "scope": "write", "expiresAt": null}
  ///                      → 201 {"id": 1, …, "key": "mk_1_…"}
  /// GET    /v1/keys/{id}
  /// DELETE /v1/keys/{id} → 204; the key is revoked and stays in the list
  /// DELETE /v1/keys/{id}?paired=true → 204; also the keys that it has paired, and so on
  /// ```
  ///
  /// The first key must have the scope `admin`. A key is shown once. A request that is repeated
  /// with its `Idempotency-Key` gets the answer without it, because only a hash of it is stored.
  ///
  /// The database needs ``APITables/keys`` and ``APITables/pairing``.
  ///
  /// - Parameters:
  ///   - pattern: The path of the collection.
  ///   - parts: The name of the member that lists the parts of the data that a key is limited to;
  ///     `nil` if keys cannot be limited.
  ///   - isPart: Whether there is a part with this ID.
  public static func keys(
    _ pattern: String, parts: StaticString? = nil,
    isPart: @escaping @Sendable (Int, Connection) throws -> Bool = { _, _ in true }
  ) -> [Route] {
    let queries = KeyQueries(parts: parts)
    let stored: @Sendable (Int) -> WriteRoute.Current = { id in
      { db, body in try db.writeJSONObject(queries.item(id), into: body) }
    }
    return [
      .read(pattern, needs: .admin, audience: .everyone) { request, _ in
        var parameters = QueryParameters.ofRead(request)
        let limit = parameters.integer("limit", in: 1...500) ?? 50
        let cursor = try parameters.cursor()
        try parameters.finish()
        let page = try queries.page(limit: limit, after: cursor)
        return LiveSource(request) { db, body in
          try db.writeJSON(page, into: body)
          return true
        }
      },
      .read("\(pattern)/{id}", needs: .admin, audience: .everyone) { request, _ in
        LiveSource(request, write: stored(try request.id("id")))
      },
      .write(.post, pattern, needs: .admin) { request, context in
        let body = try KeyBody(request, parts: parts, at: context.clock.now())
        return WriteRoute.Work { [clock = context.clock] db in
          for (index, part) in body.parts.enumerated() where try !isPart(part, db) {
            throw APIProblem(
              .invalidBody, "The body is invalid.",
              errors: [
                FieldError(.pointer("/\(parts ?? "")/\(index)"), "there is nothing with this ID")
              ])
          }
          let now = clock.now()
          guard try body.rights.scope == .admin || APIKeys.exist(in: db) else {
            throw APIProblem(
              .invalidBody, "The body is invalid.",
              errors: [
                FieldError(
                  .pointer("/scope"), "expected admin for the first key, which can create others")
              ])
          }
          try APIKeys.checkRoom(at: now, in: db)
          let key = try APIKeys.create(
            body.name, body.rights, expiresAt: body.expiresAt, now: now, in: db)
          return .once(
            location: "\(pattern)/\(key.id)", KeyQueries.shown(key, stored(key.id)),
            kept: stored(key.id))
        }
      },
      .write(.delete, "\(pattern)/{id}", needs: .admin) { request, context in
        let id = try request.id("id")
        var parameters = QueryParameters(request)
        let withPaired = parameters.bool("paired") ?? false
        try parameters.finish()
        return WriteRoute.Work(current: stored(id)) { [clock = context.clock] db in
          guard try APIKeys.revoke(id, paired: withPaired, now: clock.now(), in: db) else {
            throw APIProblem.missing("key", "\(id)")
          }
          return .done
        }
      },
    ]
  }

  /// The routes by which a device gives another one a key.
  ///
  /// ```
  /// POST /v1/pairing-codes {"scope": "write"} → 201 {"code": "K3FM9-QXR7T", "expiresAt": "…"}
  /// POST /v1/pairings {"code": "K3FM9-QXR7T", "name": "phone"} → 201 {"id": 2, …, "key": "mk_2_…"}
  /// ```
  ///
  /// A code is valid once, and for five minutes; a new one of the same key replaces it. The second
  /// request needs no key. The new key can do no more than the one that has made the code, with
  /// `scope` less, and is valid no longer. At most 20 valid keys come from one key. Wrong codes are
  /// counted like wrong keys (``Gate/Settings/failuresPerMinute``).
  ///
  /// The database needs ``APITables/keys`` and ``APITables/pairing``.
  ///
  /// - Parameters:
  ///   - codes: The path that makes codes.
  ///   - pairings: The path that trades a code for a key.
  ///   - parts: The name of the member that lists the parts of the data that a key is limited to.
  public static func pairing(
    _ codes: String, _ pairings: String, parts: StaticString? = nil
  ) -> [Route] {
    [
      Route(
        method: .post, pattern: codes, kind: .pairing(Pairing(step: .code, parts: parts)),
        need: RequiredRights(scope: .read, parts: .respected)),
      Route(
        method: .post, pattern: pairings, kind: .pairing(Pairing(step: .key, parts: parts)),
        need: nil),
    ]
  }
}

extension KeyQueries {
  /// Writes a key as its `GET` returns it, and its text as the member `key`.
  static func shown(
    _ key: (id: Int, text: String), _ stored: @escaping WriteRoute.Current
  ) -> WriteRoute.Current {
    { db, body in
      guard try stored(db, body) else { return false }
      body.truncate(to: body.count - 1)
      body.append(",\"key\":")
      JSONWriter.string(key.text, into: body)
      body.append(UInt8(ascii: "}"))
      return true
    }
  }
}
