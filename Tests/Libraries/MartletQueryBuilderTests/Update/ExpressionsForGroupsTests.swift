import MartletQueryBuilder
import Testing

@Selection private struct LeafPhoto: Equatable {
  var caption = ""
  var url = ""
}
@Selection private enum LeafKind: Equatable {
  case note(String)
  case photo(LeafPhoto)
}
@Table private struct Leaf: Equatable {
  let id: Int
  var kind: LeafKind
  @Column(as: [String].JSONBRepresentation.self) var names: [String] = []
}

@Suite struct ExpressionsForGroupsTests {
  @Test func caseThatIsAGroup() {
    expectSQL(
      Leaf.update { $0.kind.photo = LeafPhoto.Selection(caption: #sql("'c'"), url: #bind("u")) },
      #"UPDATE "leafs" SET "caption" = 'c', "url" = ?, "note" = ?"#, [.text("u"), .null])
    expectSQL(
      Leaf.update { $0.kind.photo = LeafPhoto(caption: "c", url: "u") },
      #"UPDATE "leafs" SET "caption" = ?, "url" = ?, "note" = ?"#,
      [.text("c"), .text("u"), .null])
  }

  @Test func binaryFromAggregates() throws {
    let binary = Leaf.update { $0.names = Tag.select { $0.title.jsonbGroupArray() } }
    expectSQL(
      binary,
      #"UPDATE "leafs" SET "names" = (SELECT jsonb_group_array("tags"."title") FROM "tags")"#)
    let text = Leaf.update { $0.names = Tag.select { $0.title.jsonGroupArray() } }
    expectSQL(
      text,
      #"UPDATE "leafs" SET "names" = jsonb((SELECT json_group_array("tags"."title") FROM "tags"))"#)
    #expect(text.query.fragment.requirements.map(\.feature) == ["jsonb()"])
  }

  @Test func arrayInsert() {
    let insert = Sample.columns.tags.jsonArrayInsert(\.[0], "z")
    expectSQL(insert, #"json_array_insert("samples"."tags", '$[0]', ?)"#, [.text("z")])
    let needs = insert.queryFragment.requirements.map { $0.message(found: "3.40.1") }
    #expect(needs == ["json_array_insert() needs SQLite 3.53 or later; this is SQLite 3.40.1"])
    expectSQL(
      Sample.columns.tags.jsonbArrayInsert(\.[0], "z"),
      #"jsonb_array_insert("samples"."tags", '$[0]', ?)"#, [.text("z")])
  }
}
