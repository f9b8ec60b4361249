import Foundation
import Testing

@Suite("What a later version may answer differently") struct AnswerComparisonTests {
  struct Case: CustomTestStringConvertible {
    let type, old: String
    /// What is the same, for a client of the older version.
    let same: [String]
    let different: [String]
    var testDescription: String { type }
  }

  static let cases = [
    Case(
      type: "application/x-ndjson", old: #"{"a":1,"b":["x"],"c":null}"# + "\n",
      same: [
        #"{"c":null,"b":["x"],"a":1}"# + "\n", #"{"a":1,"b":["x"],"c":null,"d":2}"# + "\n",
        #"{"type":"new"}"# + "\n" + #"{"a":1,"b":["x"],"c":null}"# + "\n",
      ],
      different: [
        "", #"{"a":1,"b":["x"]}"#, #"{"a":true,"b":["x"],"c":null}"#,
        #"{"a":"1","b":["x"],"c":null}"#,
        #"{"a":1,"b":["x","y"],"c":null}"#, #"{"a":1,"b":["x"],"c":""}"#,
        #"{"a":1,"b":["x"],"c":null}"# + "\n" + #"{"a":1}"#,
      ]),
    Case(
      type: "text/csv", old: "a,b\n1,\"x, y\"\n2,\"z\"\"\"\n",
      same: ["a,b\n1,\"x, y\"\n2,\"z\"\"\"\n", "b,c,a\n\"x, y\",,1\n\"z\"\"\",9,2\n"],
      different: [
        "a\n1\n2\n", "a,b\n1,\"x, y\"\n", "a,b\n2,\"z\"\"\"\n1,\"x, y\"\n",
        "a,b\n1,\"x,y\"\n2,\"z\"\"\"\n", "a,b\n1,\"x, y\"\n2,z\n",
      ]),
    Case(
      type: "text/calendar", old: calendar("UID:1\r\nSUMMARY:a\r\n"),
      same: [
        calendar("SUMMARY:a\r\nUID:1\r\n"), calendar("UID:1\r\nSUMMARY:a\r\nPRIORITY:1\r\n"),
        calendar("UID:1\r\nSUMM\r\n ARY:a\r\n"),
      ],
      different: [
        calendar("UID:1\r\n"), calendar("UID:1\r\nSUMMARY:b\r\n"), "",
        calendar("UID:1\r\nSUMMARY:a\r\nBEGIN:VALARM\r\nEND:VALARM\r\n"),
        calendar("UID:1\r\nSUMMARY:a\r\n").replacingOccurrences(of: "VTODO", with: "VEVENT"),
      ]),
    Case(
      type: "text/calendar", old: "PRODID:-//example//EN\r\nA:1\r\nB:2\r\n",
      same: ["PRODID:-//example//EN\r\nA:1\r\nB:2\r\n"],
      different: ["PRODID:-//example//EN\r\nB:2\r\nA:1\r\n"]),
  ]

  private static func calendar(_ lines: String) -> String {
    "BEGIN:VCALENDAR\r\nPRODID:-//martlet//martlet//EN\r\nBEGIN:VTODO\r\n\(lines)END:VTODO\r\nEND:VCALENDAR\r\n"
  }

  @Test("Additions are the same for a client, and changes are not", arguments: cases)
  func contents(_ example: Case) {
    let comparison = AnswerComparison()
    for text in example.same {
      let found = comparison.difference(of: text, from: example.old, type: example.type)
      #expect(found == nil, "\(text)")
    }
    for text in example.different {
      let found = comparison.difference(of: text, from: example.old, type: example.type)
      #expect(found != nil, "\(text)")
    }
  }

  @Test("Of an excused member only the kind of value is compared")
  func loose() {
    let comparison = AnswerComparison(loose: ["n"])
    let old: [String: Any] = ["page": ["n": 1]]
    #expect(comparison.difference(of: ["page": ["n": 2]], from: old) == nil)
    #expect(comparison.difference(of: ["page": ["n": "2"]], from: old) != nil)
    #expect(comparison.difference(of: ["page": [String: Any]()], from: old) != nil)
  }
}
