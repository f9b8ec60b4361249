/// An operation of the API, with requests that succeed and fail.
///
/// The paths refer to the data of ``ContractWalk``: lists 1 and 2, reminders 1 and 2, tags such as
/// `car`, a disabled webhook with the ID 1, and delivery 1, which belongs to another channel.
struct Operation {
  var method: String
  var template: String
  /// The path of an existing resource, and of a missing one.
  var path: String
  var missing: String?
  /// A valid body, if the operation has one.
  var body: String?
  /// A path with an invalid ID or tag.
  var malformed: String?

  // Templates.
  static let list = "/v1/lists/{id}"
  static let reminder = "/v1/reminders/{id}"
  static let tag = "/v1/tags/{tag}"
  static let tagging = "/v1/reminders/{id}/tags/{tag}"
  static let ofList = "/v1/lists/{id}/reminders"
  static let alarm = "/v1/alarms/{id}"
  static let alarms = "/v1/reminders/{id}/alarms"
  static let smartList = "/v1/smart-lists/{id}"
  static let smartPosition = "/v1/smart-lists/{id}/position"
  static let listPosition = "/v1/lists/{id}/position"
  static let position = "/v1/reminders/{id}/position"
  static let key = "/v1/keys/{id}"
  static let channel = "/v1/channels/{id}"
  static let pushKey = "/v1/push/key"
  static let subscription = "/v1/push/subscriptions/{id}"
  static let subscriptionTest = "/v1/push/subscriptions/{id}/test"
  /// The subscription of a browser, with the base point of P-256 as its key.
  static let subscriptionBody =
    #"{"endpoint":"http://127.0.0.1:9/a","keys":{"p256dh":""#
    + "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"
    + #"","auth":"AAAAAAAAAAAAAAAAAAAAAA"},"name":"Phone"}"#
  static let testing = "/v1/channels/{id}/test"
  static let rotation = "/v1/channels/{id}/rotate"
  static let delivery = "/v1/deliveries/{id}"
  static let retry = "/v1/deliveries/{id}/retry"

  static let reads = [
    Operation(method: "GET", template: "/v1/lists", path: "/v1/lists"),
    Operation(
      method: "GET", template: list, path: "/v1/lists/2", missing: "/v1/lists/99",
      malformed: "/v1/lists/x"),
    Operation(
      method: "GET", template: ofList, path: "/v1/lists/2/reminders",
      missing: "/v1/lists/99/reminders", malformed: "/v1/lists/0/reminders"),
    Operation(method: "GET", template: "/v1/reminders", path: "/v1/reminders"),
    Operation(
      method: "GET", template: reminder, path: "/v1/reminders/1", missing: "/v1/reminders/99",
      malformed: "/v1/reminders/-1"),
    Operation(method: "GET", template: "/v1/tags", path: "/v1/tags"),
    Operation(
      method: "GET", template: tag, path: "/v1/tags/car", missing: "/v1/tags/none",
      malformed: "/v1/tags/%01"),
    Operation(method: "GET", template: "/v1/search", path: "/v1/search?q=tyres"),
    Operation(method: "GET", template: "/v1/stats", path: "/v1/stats"),
    Operation(method: "GET", template: "/v1/settings", path: "/v1/settings"),
    Operation(method: "GET", template: "/v1/changes", path: "/v1/changes"),
    Operation(method: "GET", template: "/v1/trash", path: "/v1/trash"),
    Operation(method: "GET", template: "/v1/completions", path: "/v1/completions"),
    Operation(method: "GET", template: "/v1/alarms", path: "/v1/alarms"),
    Operation(
      method: "GET", template: alarm, path: "/v1/alarms/1", missing: "/v1/alarms/99",
      malformed: "/v1/alarms/x"),
    Operation(
      method: "GET", template: "/v1/reminders/{id}/occurrences",
      path: "/v1/reminders/3/occurrences", missing: "/v1/reminders/99/occurrences",
      malformed: "/v1/reminders/x/occurrences"),
    Operation(method: "GET", template: "/v1/smart-lists", path: "/v1/smart-lists"),
    Operation(
      method: "GET", template: smartList, path: "/v1/smart-lists/1", missing: "/v1/smart-lists/999",
      malformed: "/v1/smart-lists/x"),
    Operation(
      method: "GET", template: "/v1/smart-lists/{id}/reminders",
      path: "/v1/smart-lists/1/reminders", missing: "/v1/smart-lists/999/reminders",
      malformed: "/v1/smart-lists/x/reminders"),
    Operation(method: "GET", template: "/v1/channels", path: "/v1/channels"),
    Operation(
      method: "GET", template: "/v1/push/subscriptions", path: "/v1/push/subscriptions"),
    Operation(
      method: "GET", template: subscription, path: "/v1/push/subscriptions/6",
      missing: "/v1/push/subscriptions/99", malformed: "/v1/push/subscriptions/x"),
    Operation(
      method: "GET", template: channel, path: "/v1/channels/1", missing: "/v1/channels/99",
      malformed: "/v1/channels/x"),
    Operation(method: "GET", template: "/v1/deliveries", path: "/v1/deliveries"),
    Operation(
      method: "GET", template: delivery, path: "/v1/deliveries/1", missing: "/v1/deliveries/99",
      malformed: "/v1/deliveries/0"),
    Operation(method: "GET", template: "/v1/whoami", path: "/v1/whoami"),
  ]

  static let writes = [
    Operation(method: "POST", template: "/v1/lists", path: "/v1/lists", body: #"{"title":"L"}"#),
    Operation(
      method: "POST", template: "/v1/batch", path: "/v1/batch",
      body: #"{"operations":[{"method":"POST","path":"/v1/lists","body":{"title":"L"}}]}"#),
    Operation(
      method: "PATCH", template: "/v1/settings", path: "/v1/settings",
      body: #"{"defaultAlarm":"-PT10M"}"#),
    Operation(
      method: "PUT", template: "/v1/lists/order", path: "/v1/lists/order", body: #"{"ids":[]}"#),
    Operation(
      method: "PATCH", template: list, path: "/v1/lists/2", missing: "/v1/lists/99",
      body: #"{"title":"L"}"#, malformed: "/v1/lists/x"),
    Operation(
      method: "DELETE", template: list, path: "/v1/lists/2", missing: "/v1/lists/99",
      malformed: "/v1/lists/1.5"),
    Operation(
      method: "POST", template: ofList, path: "/v1/lists/2/reminders",
      missing: "/v1/lists/99/reminders", body: #"{"title":"R"}"#,
      malformed: "/v1/lists/x/reminders"),
    Operation(
      method: "PUT", template: "/v1/lists/{id}/reminders/order",
      path: "/v1/lists/2/reminders/order",
      missing: "/v1/lists/99/reminders/order", body: #"{"ids":[]}"#,
      malformed: "/v1/lists/x/reminders/order"),
    Operation(
      method: "POST", template: "/v1/reminders", path: "/v1/reminders",
      body: #"{"listID":1,"title":"R"}"#),
    Operation(
      method: "PATCH", template: reminder, path: "/v1/reminders/1", missing: "/v1/reminders/99",
      body: #"{"title":"R"}"#, malformed: "/v1/reminders/x"),
    Operation(
      method: "DELETE", template: reminder, path: "/v1/reminders/1", missing: "/v1/reminders/99",
      malformed: "/v1/reminders/x"),
    Operation(
      method: "PUT", template: tagging, path: "/v1/reminders/1/tags/car",
      missing: "/v1/reminders/99/tags/car", malformed: "/v1/reminders/x/tags/car"),
    Operation(
      method: "DELETE", template: tagging, path: "/v1/reminders/1/tags/car",
      missing: "/v1/reminders/1/tags/none", malformed: "/v1/reminders/1/tags/%7F"),
    Operation(method: "POST", template: "/v1/tags", path: "/v1/tags", body: #"{"title":"t"}"#),
    Operation(
      method: "PATCH", template: tag, path: "/v1/tags/car", missing: "/v1/tags/none",
      body: #"{"title":"t"}"#, malformed: "/v1/tags/%01"),
    Operation(
      method: "DELETE", template: tag, path: "/v1/tags/car", missing: "/v1/tags/none",
      malformed: "/v1/tags/%01"),
    Operation(
      method: "DELETE", template: "/v1/trash/{id}", path: "/v1/trash/1", missing: "/v1/trash/99",
      malformed: "/v1/trash/x"),
    Operation(
      method: "POST", template: "/v1/reminders/{id}/skip", path: "/v1/reminders/3/skip",
      missing: "/v1/reminders/99/skip", malformed: "/v1/reminders/x/skip"),
    Operation(
      method: "POST", template: "/v1/reminders/{id}/reopen", path: "/v1/reminders/3/reopen",
      missing: "/v1/reminders/99/reopen", malformed: "/v1/reminders/x/reopen"),
    Operation(
      method: "POST", template: alarms, path: "/v1/reminders/3/alarms",
      missing: "/v1/reminders/99/alarms", body: #"{"offset":"PT1H"}"#,
      malformed: "/v1/reminders/x/alarms"),
    Operation(
      method: "PATCH", template: alarm, path: "/v1/alarms/1", missing: "/v1/alarms/99",
      body: #"{"offset":"PT1H"}"#, malformed: "/v1/alarms/0"),
    Operation(
      method: "DELETE", template: alarm, path: "/v1/alarms/1", missing: "/v1/alarms/99",
      malformed: "/v1/alarms/x"),
    Operation(
      method: "PUT", template: listPosition, path: "/v1/lists/2/position",
      missing: "/v1/lists/99/position", body: #"{"after":null}"#,
      malformed: "/v1/lists/x/position"),
    Operation(
      method: "PUT", template: position, path: "/v1/reminders/1/position",
      missing: "/v1/reminders/99/position", body: #"{"after":null}"#,
      malformed: "/v1/reminders/x/position"),
    Operation(
      method: "POST", template: "/v1/quick-add", path: "/v1/quick-add", body: #"{"text":"a"}"#),
    Operation(
      method: "POST", template: "/v1/smart-lists", path: "/v1/smart-lists",
      body: #"{"title":"S","filter":{}}"#),
    Operation(
      method: "PUT", template: "/v1/smart-lists/order", path: "/v1/smart-lists/order",
      body: #"{"ids":[]}"#),
    Operation(
      method: "PATCH", template: smartList, path: "/v1/smart-lists/1",
      missing: "/v1/smart-lists/999", body: #"{"title":"S"}"#, malformed: "/v1/smart-lists/x"),
    Operation(
      method: "DELETE", template: smartList, path: "/v1/smart-lists/1",
      missing: "/v1/smart-lists/999", malformed: "/v1/smart-lists/x"),
    Operation(
      method: "PUT", template: smartPosition, path: "/v1/smart-lists/1/position",
      missing: "/v1/smart-lists/999/position", body: #"{"after":null}"#,
      malformed: "/v1/smart-lists/x/position"),
    Operation(
      method: "POST", template: "/v1/channels", path: "/v1/channels",
      body: #"{"kind":"webhook","name":"C","url":"https://example.com/"}"#),
    Operation(
      method: "PATCH", template: channel, path: "/v1/channels/1", missing: "/v1/channels/99",
      body: #"{"name":"C"}"#, malformed: "/v1/channels/0"),
    Operation(
      method: "DELETE", template: channel, path: "/v1/channels/1", missing: "/v1/channels/99",
      malformed: "/v1/channels/x"),
    Operation(
      method: "POST", template: testing, path: "/v1/channels/1/test",
      missing: "/v1/channels/99/test", malformed: "/v1/channels/x/test"),
    Operation(
      method: "POST", template: rotation, path: "/v1/channels/1/rotate",
      missing: "/v1/channels/99/rotate", malformed: "/v1/channels/x/rotate"),
    Operation(method: "POST", template: pushKey, path: "/v1/push/key"),
    Operation(method: "DELETE", template: pushKey, path: "/v1/push/key"),
    Operation(
      method: "PUT", template: "/v1/push/subscriptions", path: "/v1/push/subscriptions",
      body: subscriptionBody),
    Operation(
      method: "PATCH", template: subscription, path: "/v1/push/subscriptions/6",
      missing: "/v1/push/subscriptions/99", body: #"{"name":"C"}"#,
      malformed: "/v1/push/subscriptions/0"),
    Operation(
      method: "DELETE", template: subscription, path: "/v1/push/subscriptions/6",
      missing: "/v1/push/subscriptions/99", malformed: "/v1/push/subscriptions/x"),
    Operation(
      method: "POST", template: subscriptionTest, path: "/v1/push/subscriptions/6/test",
      missing: "/v1/push/subscriptions/99/test", malformed: "/v1/push/subscriptions/x/test"),
    Operation(
      method: "POST", template: retry, path: "/v1/deliveries/1/retry",
      missing: "/v1/deliveries/99/retry", malformed: "/v1/deliveries/x/retry"),
    Operation(
      method: "DELETE", template: "/v1/completions/{id}", path: "/v1/completions/1",
      missing: "/v1/completions/99", malformed: "/v1/completions/x"),
    Operation(method: "DELETE", template: "/v1/trash", path: "/v1/trash"),
    Operation(
      method: "POST", template: "/v1/trash/{id}/restore", path: "/v1/trash/1/restore",
      missing: "/v1/trash/99/restore", malformed: "/v1/trash/x/restore"),
  ]
}
