/// A place in the change feed, as clients keep it: `k3f9c1-9d2b-1050`.
public struct FeedToken: Equatable, Sendable, CustomStringConvertible {
  /// The feed that the token belongs to. A restored database has another one.
  var epoch: String
  /// A hash of what is asked for (``ChangeFeed/scope``). Another request may have missed something
  /// that the token does not know of.
  var scope: String
  /// The version after which the changes begin.
  var version: Int
  /// While a client reads everything there is: the last item that it has. The changes begin after
  /// that.
  var last: (kind: ChangeKind, id: Int)?

  init(
    epoch: String, scope: String, version: Int, last: (kind: ChangeKind, id: Int)? = nil
  ) {
    self.epoch = epoch
    self.scope = scope
    self.version = version
    self.last = last
  }

  /// Parses a token; `nil` if it is malformed.
  public init?(_ text: String) {
    let pieces = text.split(separator: "-", omittingEmptySubsequences: false)
    guard pieces.count == 3 || pieces.count == 4, let version = FeedToken.number(pieces[2]),
      (1...64).contains(pieces[0].utf8.count), (1...16).contains(pieces[1].utf8.count)
    else { return nil }
    self.init(epoch: String(pieces[0]), scope: String(pieces[1]), version: version)
    guard pieces.count == 4 else { return }
    let item = pieces[3].split(separator: ".", omittingEmptySubsequences: false)
    guard item.count == 2, let kind = FeedToken.number(item[0]).flatMap(ChangeKind.init(rawValue:)),
      let id = FeedToken.number(item[1])
    else { return nil }
    last = (kind, id)
  }

  /// A number without a sign.
  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
  }

  public var description: String {
    "\(epoch)-\(scope)-\(version)" + (last.map { "-\($0.kind.rawValue).\($0.id)" } ?? "")
  }

  public static func == (one: FeedToken, other: FeedToken) -> Bool {
    one.description == other.description
  }
}
