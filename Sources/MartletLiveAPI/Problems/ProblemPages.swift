import MartletHTTP

extension Route {
  /// `GET /problems/{slug}`: where the `type` of a problem document leads. `page`: Markdown with a section for each kind,
  /// `## not-found`. Each document begins with the kind's status and title, where its section does not say them.
  public static func problems(_ kinds: [ProblemType], page: String = "") -> Route {
    let sections = ProblemPages.sections(of: page)
    var documents: [String: Document] = [:]
    for kind in kinds {
      let title = "**\(kind.status.rawValue) \(kind.title)**"
      var text = sections[kind.slug] ?? "# \(kind.slug)\n"
      if !text.contains("**\(kind.status.rawValue) \(kind.title)") {
        text = "# \(kind.slug)\n\n\(title)\n" + text.drop { $0 != "\n" }.dropFirst()
      }
      documents[kind.slug] = Document(Array(text.utf8), "text/plain; charset=utf-8", Fields())
    }
    let all = documents
    return .plain(.get, "/problems/{slug}") { request, _, context in
      let slug = request.parameter("slug") ?? ""
      guard let document = all[slug] else {
        let known = Suggestion.text(
          for: slug, among: all.keys.sorted(), else: "/openapi.yaml lists them.")
        let problem = APIProblem.notFound("No problem has this name" + known)
        return .respond(context.answer(problem, to: request))
      }
      return .respond(document.answer(to: request))
    }
  }
}

enum ProblemPages {
  /// The sections of a page, by their heading, each with its heading as the first of a page.
  static func sections(of page: String) -> [String: String] {
    var sections: [String: String] = [:]
    var slug: String?
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("## ") {
        slug = String(line.dropFirst(3))
        sections[slug!] = "# \(line.dropFirst(3))\n"
      } else if let slug {
        sections[slug]! += line + "\n"
      }
    }
    return sections
  }
}
