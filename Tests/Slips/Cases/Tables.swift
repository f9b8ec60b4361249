import Foundation
import MartletQueryBuilder

// A struct that cannot be stored
struct Place { var city = "" }
@Table struct Visit {
  let id: Int
  var place: Place  // error: representable
}

// An optional struct that cannot be stored
struct Spot { var city = "" }
@Table struct Stay {
  let id: Int
  var spot: Spot?  // error: representable
}

// A struct that cannot be stored, inferred from its value
struct Point { var x = 0 }
@Table struct Figure {
  let id: Int
  var point = Point()  // error: representable
}

// An enum that is not bindable
enum Level: Int { case low, high }
@Table struct Task1 {
  let id: Int
  var level: Level  // error: representable
}

// An enum that is not bindable, inferred from its value
enum Shade: Int { case light, dark }
@Table struct Paint {
  let id: Int
  var shade = Shade.light  // error: representable
}

// An array without a representation
@Table struct Tagged {
  let id: Int
  var tags: [String] = []  // error: JSONRepresentation
}

// A representation of another type
@Table struct Event {
  let id: Int
  @Column(as: Date.UnixTimeRepresentation.self) var name: String  // error: String
}

// A case that cannot be stored
struct Link { var url = "" }
@Selection enum Attachment {
  case note(String)
  case link(Link)  // error: representable
}

// A function of a type that cannot be stored
struct Route { var name = "" }
@DatabaseFunction func length(_ route: Route) -> Int { route.name.count }  // error: representable

// A generated column that is a variable
@Table struct Doc {
  let id: Int
  @Column(generated: .stored) var search: String  // error: let
}

// A column's name on a group
@Table struct Named {
  let id: Int
  @Column("times") var times: Times  // error: group
}

// A generated group
@Table struct Generated {
  let id: Int
  @Column(generated: .stored) let times: Times  // error: group
}

// A function in a class that is not Sendable
final class Logger {
  var count = 0
  @DatabaseFunction func log(_ text: String) -> Int {  // error: Sendable
    count += 1
    return count
  }
}

// A misspelled type
@Table struct Typo {
  let id: Int
  var name: Strin  // error: Strin
}
