import Foundation
import TestSupport

/// `openapi.yaml` as far as the tests compare it with what they saw.
struct ContractDocument {
  /// `GET /v1/lists/{id} 200`, without `default`.
  var answers: Set<String> = []
  /// `GET /v1/lists/{id}`: those that want a key, and those that do not.
  var guarded: Set<String> = []
  var open: Set<String> = []
  /// `/problems/not-found` and `404 Not found`.
  var problems: [String: String] = [:]

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
    for (path, item) in paths {
      for (method, operation) in item {
        // Beside the operations a path has its parameters.
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

  /// Runs `scripts/check-openapi`; gives what it complains of.
  static func check(_ arguments: [String] = []) throws -> String {
    let folder = try TemporaryFolder()
    let result = try ChildProcess(
      "/usr/bin/python3", [Repository.root + "/scripts/check-openapi"] + arguments, folder: folder
    ).wait()
    return result.output + result.errors
  }
}
