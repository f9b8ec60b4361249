/// `manual`: internal, prints what a package has beside the program: manual pages and completions.
enum ManualCommand {
  /// Prints the names of all files, or the text of the one that is named.
  static func run(_ values: Values) throws {
    let all =
      ManualPages.all.map { ("man/\($0.name)", $0.text) }
      + Completions.all.map { ("completions/\($0.name)", $0.text) }
    guard let name = values.operands.first else {
      return print(all.map(\.0).joined(separator: "\n"))
    }
    guard let found = all.first(where: { $0.0 == name }) else {
      throw UsageError("there is no file \"\(name)\"; martlet manual lists them")
    }
    print(found.1, terminator: "")
  }
}
