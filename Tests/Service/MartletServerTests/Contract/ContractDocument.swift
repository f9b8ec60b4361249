import Foundation
import TestSupport

/// The parts of `openapi.yaml` that the tests compare with observed responses.
struct ContractDocument {
  /// The documented statuses without `default`: `GET /v1/lists/{id} 200`.
  var answers: Set<String> = []
  /// The operations that need a key, such as `GET /v1/lists/{id}`, and the others.
  var guarded: Set<String> = []
  var open: Set<String> = []
  /// The problem types: `404 Not found` for `/problems/not-found`.
  var problems: [String: String] = [:]
  private let root: [String: Any]

  /// The node at a path of names, with references resolved.
  private func node(_ names: [String]) -> [String: Any] {
    var node = root
    for name in names { node = resolve(node[name] as? [String: Any] ?? [:]) }
    return node
  }

  private func resolve(_ node: [String: Any]) -> [String: Any] {
    guard let reference = node["$ref"] as? String else { return node }
    return self.node(reference.dropFirst("#/".count).split(separator: "/").map(String.init))
  }

  /// The query parameters of `GET` on a path, with their schemas.
  func parameters(of path: String) -> [String: [String: Any]] {
    let item = node(["paths"])[path] as? [String: Any] ?? [:]
    let operation = item["get"] as? [String: Any] ?? [:]
    let all = [item, operation].flatMap { $0["parameters"] as? [[String: Any]] ?? [] }.map(resolve)
    var parameters: [String: [String: Any]] = [:]
    for parameter in all where parameter["in"] as? String == "query" {
      guard let name = parameter["name"] as? String else { continue }
      parameters[name] = resolve(parameter["schema"] as? [String: Any] ?? [:])
    }
    return parameters
  }

  /// The members of a schema, each with the name of the schema it refers to, or its type.
  func members(of schema: String) -> [String: String] {
    let members = node(["components", "schemas", schema])["properties"] as? [String: [String: Any]]
    return (members ?? [:]).mapValues {
      ($0["$ref"] as? String)?.split(separator: "/").last.map(String.init)
        ?? $0["type"] as? String ?? ""
    }
  }

  init() throws {
    let folder = try TemporaryFolder()
    let script = "import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1])), sys.stdout)"
    let result = try ChildProcess(
      "/usr/bin/python3", ["-c", script, Repository.root + "/openapi.yaml"], folder: folder
    ).wait()
    guard result.code == 0,
      let root = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
        as? [String: Any], let paths = root["paths"] as? [String: [String: Any]],
      let problems = root["x-problem-types"] as? [[String: Any]]
    else { throw ChildProcess.Failure(description: "openapi.yaml: \(result.errors)") }
    self.root = root
    for (path, item) in paths {
      for (method, operation) in item {
        // A path has parameters beside its operations.
        guard let operation = operation as? [String: Any] else { continue }
        let name = "\(method.uppercased()) \(path)"
        let isOpen = (operation["security"] as? [Any])?.isEmpty ?? false
        if isOpen { open.insert(name) } else { guarded.insert(name) }
        let responses = operation["responses"] as? [String: Any] ?? [:]
        for status in responses.keys where status != "default" {
          answers.insert("\(method.uppercased()) \(path) \(status)")
        }
      }
    }
    for problem in problems {
      guard let type = problem["type"] as? String, let status = problem["status"] as? Int,
        let title = problem["title"] as? String
      else { continue }
      self.problems[type] = "\(status) \(title)"
    }
  }

  /// Runs `Checks/check-openapi` and returns its complaints.
  static func check(_ arguments: [String] = []) throws -> String {
    let folder = try TemporaryFolder()
    let result = try ChildProcess(
      "/usr/bin/python3", [Repository.root + "/Checks/check-openapi"] + arguments, folder: folder
    ).wait()
    return result.output + result.errors
  }
}
