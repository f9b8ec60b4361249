import Testing

@testable import MartletSQLShape

@Suite struct SQLNodeTests {
  /// The nodes are walked recursively, on threads with small stacks.
  @Test func nothingIsKnownOfWhatLiesTooDeep() {
    func nested(_ depth: Int) -> String {
      "SELECT " + String(repeating: "(", count: depth) + "1" + String(repeating: ")", count: depth)
    }
    #expect(SQLNode.nodes(of: nested(SQLNode.greatestDepth)) != nil)
    #expect(SQLNode.nodes(of: nested(SQLNode.greatestDepth + 1)) == nil)
    #expect(SQLNode.nodes(of: nested(100_000)) == nil)
  }
}
