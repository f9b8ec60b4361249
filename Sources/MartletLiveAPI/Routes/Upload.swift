import MartletHTTP

extension Route {
  /// A `POST` of a file, which may be as large as ``API/Settings/uploadBytes``; no part of a batch. `parse` runs on
  /// a thread of its own, one upload at a time, and does all that needs no database.
  public static func upload(
    _ pattern: String, needs scope: Rights.Scope, _ parse: @escaping WriteRoute.Parse
  ) -> Route {
    Route(
      method: .post, pattern: pattern,
      kind: .write(
        WriteRoute(
          parse: { request, api in
            try Body.checkCoding(request)
            return try parse(request, api)
          }, isPart: false, isUpload: true)),
      need: Need(scope: scope, parts: .refused), isUpload: true)
  }
}
