/// An operation of `openapi.yaml` with example requests, for granted and for foreign data.
struct GuardedOperation {
  struct Request {
    var target: String
    var body: String?
  }

  var method: String
  var template: String
  var scope: String
  var own: [Request]
  var foreign: [Request]

  var name: String { "\(method) \(template)" }

  private init(
    _ method: String, _ template: String, scope: String? = nil, own: [Request] = [],
    foreign: [Request] = []
  ) {
    self.method = method
    self.template = template
    self.scope = scope ?? (method == "GET" ? "read" : "write")
    self.own = own
    self.foreign = foreign
  }

  /// An operation whose requests are made by filling IDs and tags into the template.
  private init(
    _ method: String, _ template: String, body: ((_ isOwn: Bool) -> String)? = nil,
    query: String = ""
  ) {
    func request(_ isOwn: Bool) -> Request {
      let list = isOwn ? KeyedService.ownList : KeyedService.foreignList
      let reminder = isOwn ? KeyedService.ownReminder : KeyedService.foreignReminder
      let tag = isOwn ? KeyedService.ownTag : KeyedService.foreignTag
      let id = template.hasPrefix("/v1/lists") ? list : reminder
      let path = template.split(separator: "/").map {
        switch $0 {
        case "{id}": "/\(id)"
        case "{tag}": "/\(tag)"
        default: "/\($0)"
        }
      }.joined()
      return Request(target: path + query, body: body?(isOwn))
    }
    let own = request(true)
    let foreign = request(false)
    self.init(method, template, own: [own], foreign: foreign.target == own.target ? [] : [foreign])
  }

  private static func plain(_ targets: String...) -> [Request] {
    targets.map { Request(target: $0) }
  }

  // MARK: All of them

  static let all = reads + writes + batches

  static let reads = [
    GuardedOperation(
      "GET", "/v1/lists", own: plain("/v1/lists?total=true"),
      foreign: plain("/v1/lists?limit=1&total=true")),
    GuardedOperation("GET", "/v1/lists/{id}"),
    GuardedOperation("GET", "/v1/lists/{id}/reminders", query: "?total=true"),
    GuardedOperation(
      "GET", "/v1/reminders",
      own: plain(
        "/v1/reminders", "/v1/reminders?total=true", "/v1/reminders?sort=-title",
        "/v1/reminders?tag=both&due=none", "/v1/reminders?q=more"),
      foreign: plain(
        "/v1/reminders?listID=4&total=true", "/v1/reminders?tag=xyzzytag",
        "/v1/reminders?q=xyzzy&total=true", "/v1/reminders?q=tag:xyzzytag",
        "/v1/reminders?listID=4&sort=dueDate")),
    GuardedOperation("GET", "/v1/reminders/{id}"),
    GuardedOperation("GET", "/v1/tags", own: plain("/v1/tags", "/v1/tags?total=true")),
    GuardedOperation("GET", "/v1/tags/{tag}"),
    GuardedOperation(
      "GET", "/v1/search", own: plain("/v1/search?q=more", "/v1/search?q=both&total=true"),
      foreign: plain("/v1/search?q=xyzzy&total=true", "/v1/search?q=tag:xyzzytag&total=true")),
    GuardedOperation("GET", "/v1/stats", own: plain("/v1/stats")),
    GuardedOperation("GET", "/v1/settings", own: plain("/v1/settings")),
    GuardedOperation(
      "GET", "/v1/changes", own: plain("/v1/changes"),
      foreign: plain("/v1/changes?listID=4")),
    GuardedOperation("GET", "/v1/trash", own: plain("/v1/trash", "/v1/trash?total=true")),
    GuardedOperation(
      "GET", "/v1/completions", own: plain("/v1/completions?total=true"),
      foreign: plain("/v1/completions?reminderID=7&total=true", "/v1/completions?listID=4")),
    GuardedOperation(
      "GET", "/v1/reminders/{id}/occurrences", own: plain("/v1/reminders/6/occurrences"),
      foreign: plain("/v1/reminders/7/occurrences")),
    GuardedOperation(
      "GET", "/v1/alarms", own: plain("/v1/alarms?total=true", "/v1/alarms?listID=2"),
      foreign: plain(
        "/v1/alarms?reminderID=3&total=true", "/v1/alarms?listID=4", "/v1/alarms?listID=4&limit=1")),
    GuardedOperation(
      "GET", "/v1/alarms/{id}", own: plain("/v1/alarms/1"), foreign: plain("/v1/alarms/2")),
    GuardedOperation(
      "GET", "/v1/channels", scope: "admin", own: plain("/v1/channels", "/v1/channels?total=true")),
    GuardedOperation(
      "GET", "/v1/channels/{id}", scope: "admin", own: plain("/v1/channels/1")),
    GuardedOperation(
      "GET", "/v1/deliveries", scope: "admin",
      own: plain("/v1/deliveries", "/v1/deliveries?channelID=1&total=true")),
    GuardedOperation(
      "GET", "/v1/deliveries/{id}", scope: "admin", own: plain("/v1/deliveries/1")),
    GuardedOperation(
      "GET", "/v1/push/subscriptions", own: plain("/v1/push/subscriptions?total=true")),
    GuardedOperation(
      "GET", "/v1/push/subscriptions/{id}", foreign: plain("/v1/push/subscriptions/2")),
    GuardedOperation("GET", "/v1/smart-lists", own: plain("/v1/smart-lists")),
    GuardedOperation("GET", "/v1/smart-lists/{id}", own: plain("/v1/smart-lists/1")),
    GuardedOperation(
      "GET", "/v1/smart-lists/{id}/reminders", own: plain("/v1/smart-lists/1/reminders")),
    GuardedOperation("GET", "/v1/keys", scope: "admin", own: plain("/v1/keys")),
    GuardedOperation("GET", "/v1/keys/{id}", scope: "admin", own: plain("/v1/keys/1")),
    GuardedOperation("GET", "/v1/whoami", own: plain("/v1/whoami")),
    GuardedOperation(
      "GET", "/v1/live", own: plain("/v1/live?lists=/v1/lists&stats=/v1/stats&all=/v1/reminders"),
      foreign: plain(
        "/v1/live?list=/v1/lists/4&in=/v1/lists/4/reminders&one=/v1/reminders/3&tag=/v1/tags/xyzzytag&q=/v1/search%3Fq=xyzzy"
      )),
    GuardedOperation("GET", "/metrics", own: plain("/metrics")),
    GuardedOperation("GET", "/v1/export", own: plain("/v1/export", "/v1/export?format=csv")),
  ]

  static let writes = [
    GuardedOperation(
      "POST", "/v1/lists", own: [Request(target: "/v1/lists", body: #"{"title":"New"}"#)]),
    GuardedOperation(
      "PUT", "/v1/lists/order",
      own: [Request(target: "/v1/lists/order", body: #"{"ids":[1,2,3,4]}"#)]),
    GuardedOperation("PATCH", "/v1/lists/{id}", body: { _ in #"{"title":"Changed"}"# }),
    GuardedOperation(
      "PUT", "/v1/lists/{id}/position",
      own: [Request(target: "/v1/lists/2/position", body: #"{"before":null}"#)]),
    GuardedOperation("PUT", "/v1/reminders/{id}/position", body: { _ in #"{"before":null}"# }),
    GuardedOperation(
      "POST", "/v1/quick-add",
      own: [
        Request(target: "/v1/quick-add", body: #"{"text":"a tomorrow"}"#),
        Request(target: "/v1/quick-add?preview=true", body: #"{"text":"a #home"}"#),
      ],
      foreign: [
        Request(target: "/v1/quick-add", body: #"{"text":"a","listID":4}"#),
        Request(target: "/v1/quick-add?preview=true", body: #"{"text":"a","listID":4}"#),
      ]),
    GuardedOperation(
      "POST", "/v1/smart-lists",
      own: [Request(target: "/v1/smart-lists", body: #"{"title":"New","filter":{}}"#)]),
    GuardedOperation(
      "PUT", "/v1/smart-lists/order",
      own: [Request(target: "/v1/smart-lists/order", body: #"{"ids":[1]}"#)]),
    GuardedOperation(
      "PATCH", "/v1/smart-lists/{id}",
      own: [Request(target: "/v1/smart-lists/1", body: #"{"title":"Changed"}"#)]),
    GuardedOperation(
      "PUT", "/v1/smart-lists/{id}/position",
      own: [Request(target: "/v1/smart-lists/1/position", body: #"{"after":null}"#)]),
    GuardedOperation("DELETE", "/v1/smart-lists/{id}", own: plain("/v1/smart-lists/1")),
    GuardedOperation(
      "POST", "/v1/keys", scope: "admin",
      own: [Request(target: "/v1/keys", body: #"{"name":"new","scope":"read","lists":[2]}"#)]),
    GuardedOperation(
      "DELETE", "/v1/keys/{id}", scope: "admin", own: plain("/v1/keys/\(KeyedService.spareKey)")),
    GuardedOperation("DELETE", "/v1/lists/{id}"),
    GuardedOperation("POST", "/v1/lists/{id}/reminders", body: { _ in #"{"title":"New"}"# }),
    GuardedOperation(
      "PUT", "/v1/lists/{id}/reminders/order", body: { #"{"ids":[\#($0 ? "1" : "3,7")]}"# }),
    GuardedOperation(
      "POST", "/v1/reminders",
      own: [Request(target: "/v1/reminders", body: #"{"listID":2,"title":"New"}"#)],
      foreign: [
        Request(target: "/v1/reminders", body: #"{"listID":4,"title":"New"}"#),
        Request(target: "/v1/reminders", body: #"{"parentID":3,"title":"New"}"#),
      ]),
    GuardedOperation(
      "PATCH", "/v1/reminders/{id}",
      own: [Request(target: "/v1/reminders/1", body: #"{"listID":3}"#)],
      foreign: [
        Request(target: "/v1/reminders/1", body: #"{"listID":4}"#),
        Request(target: "/v1/reminders/1", body: #"{"parentID":3}"#),
        Request(target: "/v1/reminders/3", body: #"{"title":"Changed"}"#),
        Request(target: "/v1/reminders/3", body: #"{"listID":2}"#),
        Request(target: "/v1/reminders/3", body: #"{"tags":[]}"#),
        Request(target: "/v1/reminders/3", body: "{}"),
      ]),
    GuardedOperation("DELETE", "/v1/reminders/{id}"),
    GuardedOperation("PUT", "/v1/reminders/{id}/tags/{tag}"),
    GuardedOperation("DELETE", "/v1/reminders/{id}/tags/{tag}"),
    GuardedOperation(
      "POST", "/v1/tags", own: [Request(target: "/v1/tags", body: #"{"title":"new"}"#)]),
    GuardedOperation("PATCH", "/v1/tags/{tag}", body: { _ in #"{"title":"renamed"}"# }),
    GuardedOperation("DELETE", "/v1/tags/{tag}"),
    GuardedOperation(
      "POST", "/v1/reminders/{id}/skip", own: plain("/v1/reminders/6/skip"),
      foreign: plain("/v1/reminders/7/skip")),
    GuardedOperation(
      "POST", "/v1/reminders/{id}/reopen", own: plain("/v1/reminders/6/reopen"),
      foreign: plain("/v1/reminders/7/reopen")),
    GuardedOperation(
      "POST", "/v1/reminders/{id}/alarms", body: { _ in #"{"at":"2099-01-01T00:00:00Z"}"# }),
    GuardedOperation(
      "PATCH", "/v1/alarms/{id}",
      own: [Request(target: "/v1/alarms/1", body: #"{"state":"acknowledged"}"#)],
      foreign: [
        Request(target: "/v1/alarms/2", body: #"{"state":"acknowledged"}"#),
        Request(target: "/v1/alarms/2", body: "{}"),
      ]),
    GuardedOperation(
      "DELETE", "/v1/alarms/{id}", own: plain("/v1/alarms/1"), foreign: plain("/v1/alarms/2")),
    GuardedOperation(
      "POST", "/v1/channels", scope: "admin",
      own: [
        Request(
          target: "/v1/channels",
          body: #"{"kind":"webhook","name":"c","url":"https://example.com/","lists":[2]}"#)
      ]),
    GuardedOperation("POST", "/v1/push/key", scope: "read", own: plain("/v1/push/key")),
    GuardedOperation(
      "PUT", "/v1/push/subscriptions", scope: "read",
      own: [Request(target: "/v1/push/subscriptions", body: Operation.subscriptionBody)]),
    GuardedOperation(
      "PATCH", "/v1/push/subscriptions/{id}", scope: "read",
      own: [Request(target: "/v1/push/subscriptions/2", body: #"{"name":"a"}"#)],
      foreign: [Request(target: "/v1/push/subscriptions/2", body: #"{"name":"a"}"#)]),
    GuardedOperation(
      "DELETE", "/v1/push/subscriptions/{id}", scope: "read",
      own: plain("/v1/push/subscriptions/2"), foreign: plain("/v1/push/subscriptions/2")),
    GuardedOperation(
      "POST", "/v1/push/subscriptions/{id}/test", scope: "read",
      own: plain("/v1/push/subscriptions/2/test"), foreign: plain("/v1/push/subscriptions/2/test")),
    GuardedOperation("DELETE", "/v1/push/key", scope: "admin", own: plain("/v1/push/key")),
    GuardedOperation(
      "PATCH", "/v1/settings", scope: "admin",
      own: [Request(target: "/v1/settings", body: #"{"defaultAlarm":"-PT10M"}"#)]),
    GuardedOperation(
      "PATCH", "/v1/channels/{id}", scope: "admin",
      own: [Request(target: "/v1/channels/1", body: #"{"name":"changed"}"#)]),
    GuardedOperation(
      "POST", "/v1/channels/{id}/test", scope: "admin", own: plain("/v1/channels/1/test")),
    GuardedOperation(
      "POST", "/v1/channels/{id}/rotate", scope: "admin", own: plain("/v1/channels/1/rotate")),
    GuardedOperation(
      "POST", "/v1/deliveries/{id}/retry", scope: "admin", own: plain("/v1/deliveries/1/retry")),
    GuardedOperation(
      "DELETE", "/v1/channels/{id}", scope: "admin", own: plain("/v1/channels/1")),
    GuardedOperation(
      "DELETE", "/v1/completions/{id}", own: plain("/v1/completions/1"),
      foreign: plain("/v1/completions/2")),
    GuardedOperation(
      "POST", "/v1/trash/{id}/restore", own: plain("/v1/trash/1/restore"),
      foreign: plain("/v1/trash/2/restore")),
    GuardedOperation(
      "DELETE", "/v1/trash/{id}", own: plain("/v1/trash/1"), foreign: plain("/v1/trash/2")),
    GuardedOperation("DELETE", "/v1/trash", own: plain("/v1/trash")),
  ]

  /// A batch of one for each write, and the other `POST` operations.
  static let batches = [
    GuardedOperation(
      "POST", "/v1/batch", own: batch(writes, \.own), foreign: batch(writes, \.foreign)),
    GuardedOperation(
      "POST", "/v1/import", scope: "admin",
      own: [Request(target: "/v1/import", body: #"{"type":"tag","title":"new"}"#)]),
    GuardedOperation(
      "POST", "/v1/live/sessions", scope: "read", own: plain("/v1/live/sessions")),
    GuardedOperation(
      "POST", "/v1/pairing-codes", scope: "read", own: plain("/v1/pairing-codes")),
  ]

  private static func batch(
    _ writes: [GuardedOperation], _ requests: (GuardedOperation) -> [Request]
  ) -> [Request] {
    writes.flatMap { write in
      requests(write).map { batch(write.method, $0) }
    }
  }

  /// A batch with a single operation.
  static func batch(_ method: String, _ request: Request) -> Request {
    let body = request.body.map { ",\"body\":\($0)" } ?? ""
    return Request(
      target: "/v1/batch",
      body: #"{"operations":[{"method":"\#(method)","path":"\#(request.target)"\#(body)}]}"#)
  }
}
