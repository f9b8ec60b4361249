import Foundation
import TestSupport

/// The answers of the server of a release, which Checks/release-fixture has stored.
struct ReleasedAnswers {
  private struct Answer {
    var key, target, operation, type: String
    var status: Int
    var pages: [Any]

    /// Whether it depends on the day.
    func isExcused(by excuse: ReleasedExcuse) -> Bool {
      excuse.parameters.contains { target.contains($0) }
    }
  }

  /// The settings that affect what is answered.
  let flags: [String]
  /// Keys by name.
  let keys: [String: String]
  private let answers: [Answer]

  var count: Int { answers.count }
  var operations: Set<String> { Set(answers.map(\.operation)) }

  init(_ file: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: file))
    guard let stored = try JSONSerialization.jsonObject(with: data) as? [String: Any],
      let flags = stored["flags"] as? [String], let keys = stored["keys"] as? [String: String],
      let rows = stored["rows"] as? [Any], let answers = stored["answers"] as? [[String: Any]]
    else { throw ChildProcess.Failure(description: "\(file) has another form") }
    self.flags = flags
    self.keys = keys
    self.answers = try answers.map {
      guard let key = $0["key"] as? String, let target = $0["target"] as? String,
        let operation = $0["operation"] as? String, let status = $0["status"] as? Int,
        let type = $0["type"] as? String, let pages = $0["pages"] as? [Any]
      else { throw ChildProcess.Failure(description: "\(file) has the answer \($0)") }
      return Answer(
        key: key, target: target, operation: operation, type: type, status: status,
        pages: pages.map { Self.page($0, rows) })
    }
  }

  /// A page with its items, which are stored as numbers of rows.
  private static func page(_ page: Any, _ rows: [Any]) -> Any {
    guard var object = page as? [String: Any], let numbers = object["items"] as? [Int] else {
      return page
    }
    object["items"] = numbers.map { rows[$0] }
    return object
  }

  /// Asks a server the same. Returns what it answers differently.
  func differences(
    _ server: MartletProcess, _ excuse: ReleasedExcuse = ReleasedExcuse()
  ) throws -> [String] {
    let client = try RawClient(port: server.port)
    return try answers.compactMap { answer in
      try difference(answer, client, excuse).map { "\(answer.key) \(answer.target): \($0)" }
    }
  }

  private func difference(
    _ answer: Answer, _ client: RawClient, _ excuse: ReleasedExcuse
  ) throws -> String? {
    let fields = fields(answer)
    if answer.type == "text/event-stream" {
      return try streamDifference(answer, fields, client.port, excuse)
    }
    var target = answer.target
    for index in 0..<max(answer.pages.count, 1) {
      let now = try client.get(target, fields)
      let type = now["Content-Type"].map { String($0.prefix { $0 != ";" }) } ?? ""
      guard now.status == answer.status, type == answer.type else {
        return "\(now.status) \(type), and was \(answer.status) \(answer.type)"
      }
      guard index < answer.pages.count, !answer.isExcused(by: excuse) else { continue }
      let old = answer.pages[index]
      if let found = pageDifference(answer, now, old, excuse) { return found }
      guard type == "application/json" else { continue }
      let isLast = index == answer.pages.count - 1
      if let token = (old as? [String: Any])?["next"] as? String, isLast {
        return try tokenDifference(answer, token, client, fields)
      }
      guard !isLast else { continue }
      // Each version follows its own pages.
      let page = now.json
      guard
        let next = (page["nextCursor"] as? String).map({ "cursor=\($0)" })
          ?? (page["next"] as? String).map({ "since=\($0)" })
      else { return "there is no page after \(index + 1) of \(answer.pages.count)" }
      target = "\(answer.target)\(answer.target.contains("?") ? "&" : "?")\(next)"
    }
    return nil
  }

  private func fields(_ answer: Answer) -> [(String, String)] {
    let key = keys[answer.key] ?? ""
    let basic = Data("anyone:\(key)".utf8).base64EncodedString()
    return [
      ("Accept", answer.type == "text/event-stream" ? answer.type : "*/*"),
      ("Authorization", answer.target.hasPrefix("/dav") ? "Basic \(basic)" : "Bearer \(key)"),
    ]
  }

  private func pageDifference(
    _ answer: Answer, _ now: RawResponse, _ old: Any, _ excuse: ReleasedExcuse
  ) -> String? {
    let comparison = excuse.comparison(of: answer.operation)
    if answer.operation == "/metrics" {
      let names = now.text.split(separator: "\n").compactMap {
        $0.hasPrefix("# TYPE ") ? String($0.dropFirst(7)) : nil
      }
      let lost = Set(old as? [String] ?? []).subtracting(names).filter {
        !excuse.metrics.contains(String($0.prefix { $0 != " " }))
      }
      return lost.isEmpty ? nil : "it lacks \(lost.sorted())"
    }
    if let old = old as? String {
      return comparison.difference(of: now.text, from: old, type: answer.type)
    }
    return comparison.difference(of: now.json, from: old)
  }

  /// A copy goes on from the token that it has, and there is nothing new.
  private func tokenDifference(
    _ answer: Answer, _ token: String, _ client: RawClient, _ fields: [(String, String)]
  ) throws -> String? {
    let separator = answer.target.contains("?") ? "&" : "?"
    let now = try client.get("\(answer.target)\(separator)since=\(token)", fields)
    return now.status == 200 && now.items.isEmpty && now.json["more"] as? Bool == false
      ? nil : "the old token has \(now.status) \(now.text)"
  }

  private func streamDifference(
    _ answer: Answer, _ fields: [(String, String)], _ port: UInt16, _ excuse: ReleasedExcuse
  ) throws -> String? {
    let streams = StreamClient(port: port)
    try streams.open(answer.target, fields)
    guard let event = streams.event(after: 0) else { return "there is no event" }
    let now = try JSONSerialization.jsonObject(with: Data(event.data.utf8))
    return excuse.comparison(of: answer.operation).difference(of: now, from: answer.pages.first)
  }
}

/// What later versions answer differently, for a reason that is not a fault.
struct ReleasedExcuse {
  /// The answers to requests with one of these are compared by status and type only.
  var parameters: [String] = []
  /// Members by operation, of which only the kind of value is compared.
  var members: [String: Set<String>] = [:]
  /// Metrics that were removed or renamed, which CHANGELOG.md names.
  var metrics: Set<String> = []

  /// Cursors and tokens have no meaning for clients. They are followed.
  func comparison(of operation: String) -> AnswerComparison {
    AnswerComparison(loose: members[operation, default: []].union(["nextCursor", "next"]))
  }
}
