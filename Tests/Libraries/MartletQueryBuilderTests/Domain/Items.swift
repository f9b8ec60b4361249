import Foundation
import MartletQueryBuilder

/// A table with what the reminders do not have: renamed columns, representations, generated columns
/// and groups.
@Table("stock", schema: "main")
struct Item: Equatable {
  @Column("item_id", primaryKey: true) let code: UUID
  @Column(as: Date.UnixTimeRepresentation.self) var made: Date
  @Column(as: Date.UnixTimeRepresentation.self) var sold: Date?
  @Column("labels", as: [String].JSONRepresentation.self) var tags: [String] = []
  var size: Size
  @Column(generated: .stored) let search: String
  var bytes: [UInt8]?
  @Ephemeral var isSelected = false
}

@Table
struct Size: Equatable {
  var width = 1.0
  var height: Double?
}

/// A table inside of another type, which refers to that type's members by their short names.
enum Shop {
  enum Kind: Int, QueryBindable { case food, tool }

  @Table
  struct Article: Equatable {
    let id: Int
    var kind: Kind
    var second = Kind.tool
    @Column(as: Date.UnixTimeRepresentation.self) var sold: Date?
  }
}

@Table
struct Note {
  let id: Int
  var text: String?
}
