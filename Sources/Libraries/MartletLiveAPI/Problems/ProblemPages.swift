import MartletHTTP

extension Route {
  /// The route `GET /problems/{slug}`, which serves the documentation that a problem's `type` links
  /// to. It is open to everyone.
  ///
  /// `page` is Markdown with one section for each type in `kinds`. The heading of a section is the
  /// slug of its type, for example `## not-found`. Each response is one section as plain text. It
  /// begins with the status and title of the type, which are added if the section does not have
  /// them.
  public static func problems(_ kinds: [ProblemType], page: String = "") -> Route {
    let sections = ProblemPages.sections(of: page)
    var documents: [String: Document] = [:]
    for kind in kinds {
      let title = "**\(kind.status.rawValue) \(kind.title)**"
      var text = sections[kind.slug] ?? "# \(kind.slug)\n"
      if !text.contains("**\(kind.status.rawValue) \(kind.title)") {
        text = "# \(kind.slug)\n\n\(title)\n" + text.drop { $0 != "\n" }.dropFirst()
      }
      documents[kind.slug] = Document("text/plain; charset=utf-8", Fields()) { [text] in
        Array(text.utf8)
      }
    }
    let all = documents
    return .plain(.get, "/problems/{slug}", needs: .noKey) { request, _, context in
      let slug = request.parameter("slug") ?? ""
      guard let document = all[slug] else {
        let known = Suggestion.text(
          for: slug, among: all.keys.sorted(), else: "/openapi.yaml lists them.")
        let problem = APIProblem.notFound("There is no problem type with this name" + known)
        return .respond(context.answer(problem, to: request))
      }
      return .respond(document.answer(to: request))
    }
  }
}

enum ProblemPages {
  /// The sections of a page by heading. Each section begins with its heading as a level-1 heading.
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
