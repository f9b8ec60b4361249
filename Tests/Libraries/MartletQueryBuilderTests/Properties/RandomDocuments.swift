import Foundation
import MartletQueryBuilder
import TestSupport

enum DocGrade: String, QueryBindable, Codable, CaseIterable { case low, high }
/// Stored as a JSON document, which is a string.
enum DocShade: String, Codable, CaseIterable { case red, blue }

struct DocCents: QueryBindable, Codable, Equatable {
  var amount: Int
  var queryBinding: QueryBinding { .int(Int64(amount)) }
  init(_ amount: Int) { self.amount = amount }
  init(decoder: inout some QueryDecoder) throws { amount = try Int(decoder: &decoder) }
}

@Selection struct DocPicture: Codable, Equatable {
  var caption: String?
  @Column(as: Date?.UnixTimeRepresentation.self) var taken: Date?
}
@Selection struct DocClip: Codable, Equatable {
  var codec: String
  var length: Double
  var coder: String?
}
@Selection enum DocContent: Codable, Equatable {
  case link(URL)
  case key(Data)
  case picture(DocPicture)
  case clip(DocClip)
  indirect case reply(DocReply)
}
@Selection struct DocReply: Codable, Equatable {
  var mark: DocMark?
  var by: String?
}
@Selection enum DocMark: Codable, Equatable {
  case star(Int)
  case word(String)
}
@Selection struct DocDetail: Codable, Equatable {
  var note: String
  @Column(as: UUID.BytesRepresentation.self) var token: UUID
  var content: DocContent
}

/// A document with a member of each representation.
@Selection struct Everything: Codable, Equatable {
  var int: Int
  var small: UInt8
  var double: Double
  var float: Float
  var isOn: Bool
  var text: String
  var bytes: [UInt8]
  var data: Data
  var url: URL
  var iso: Date
  @Column(as: Date.UnixTimeRepresentation.self) var unix: Date
  @Column(as: Date.JulianDayRepresentation.self) var julian: Date
  var uuid: UUID
  @Column("upper_uuid", as: UUID.UppercasedRepresentation.self) var upper: UUID
  @Column(as: UUID.BytesRepresentation.self) var raw: UUID
  var grade: DocGrade
  var cents: DocCents
  @Column(as: CodableJSONRepresentation<DocShade>.self) var shade: DocShade
  @Column(as: [String].JSONBRepresentation.self) var binary: [String]
  var maybeInt: Int?
  var maybeData: Data?
  @Column(as: Date?.UnixTimeRepresentation.self) var maybeUnix: Date?
  @Column(as: UUID?.BytesRepresentation.self) var maybeRaw: UUID?
  @Column(as: [UUID].JSONRepresentation.self) var uuids: [UUID]
  @Column(as: [Date].JSONRepresentation.self) var dates: [Date]
  @Column(as: [Data].JSONRepresentation.self) var datas: [Data]
  @Column(as: CodableJSONRepresentation<[DocCents?]>.self) var prices: [DocCents?]
  @Column(as: [String: [UInt8]].JSONRepresentation.self) var named: [String: [UInt8]]
  @Column(as: CodableJSONRepresentation<[DocPicture]>.self) var pictures: [DocPicture]
  @Column(as: DocDetail.self) var detail: DocDetail
  @Column(as: DocDetail?.self) var spare: DocDetail?
}

struct RandomDocuments {
  var random: SeededRandom
  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  private mutating func int(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }
  private mutating func maybe<V>(_ make: (inout Self) -> V) -> V? {
    random.once(in: 2) ? make(&self) : nil
  }
  private mutating func some<V>(_ make: (inout Self) -> V) -> [V] {
    (0..<int(0...3)).map { _ in make(&self) }
  }
  private mutating func word() -> String {
    random.pick(["", "a", "it's", "\"q\"", "5", "null", "[1]", "{}", "true", "é\n", "\\", "zoo"])
  }
  private mutating func bytes() -> [UInt8] {
    (0..<int(0...20)).map { _ in UInt8.random(in: 0...255, using: &random) }
  }
  private mutating func uuid() -> UUID {
    var bytes = uuid_t(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { bytes in
      for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &random) }
    }
    return UUID(uuid: bytes)
  }
  private mutating func second() -> Date {
    Date(timeIntervalSince1970: Double(int(-2_000_000_000...4_000_000_000)))
  }
  private mutating func number() -> Double {
    Double.random(in: -1...1, using: &random) * pow(10, Double(int(-6...9)))
  }
  private mutating func url() -> URL { URL(string: "https://a.example/\(int(0...9))")! }

  private mutating func picture() -> DocPicture {
    DocPicture(caption: maybe { $0.word() }, taken: maybe { $0.second() })
  }
  /// Has a caption: in its own columns, a row or a case with only NULLs would be read as `nil`.
  private mutating func picturePresent() -> DocPicture {
    DocPicture(caption: word(), taken: maybe { $0.second() })
  }
  mutating func content() -> DocContent {
    switch int(0...4) {
    case 0: .link(url())
    case 1: .key(Data(bytes()))
    case 2: .picture(picturePresent())
    case 3: .clip(DocClip(codec: word(), length: number(), coder: maybe { $0.word() }))
    default: .reply(DocReply(mark: maybe { $0.mark() }, by: word()))
    }
  }
  private mutating func mark() -> DocMark {
    random.once(in: 2) ? .star(int(0...9)) : .word(word())
  }
  private mutating func detail() -> DocDetail {
    DocDetail(note: word(), token: uuid(), content: content())
  }

  mutating func everything() -> Everything {
    let julian = Date(timeIntervalSince1970: Double(int(-4_000...4_000)) * 43_200)
    return Everything(
      int: int(-9_007_199_254_740_993...9_007_199_254_740_993), small: UInt8(int(0...255)),
      double: number(), float: Float(number()), isOn: random.once(in: 2), text: word(),
      bytes: bytes(), data: Data(bytes()), url: url(),
      iso: Date(timeIntervalSince1970: Double(int(-2_000_000...4_000_000)) + 0.25), unix: second(),
      julian: julian, uuid: uuid(), upper: uuid(), raw: uuid(),
      grade: random.pick(DocGrade.allCases), cents: DocCents(int(0...99)),
      shade: random.pick(DocShade.allCases), binary: some { $0.word() },
      maybeInt: maybe { $0.int(0...9) },
      maybeData: maybe { Data($0.bytes()) }, maybeUnix: maybe { $0.second() },
      maybeRaw: maybe { $0.uuid() }, uuids: some { $0.uuid() }, dates: some { $0.second() },
      datas: some { Data($0.bytes()) },
      prices: some { random in random.maybe { DocCents($0.int(0...9)) } },
      named: ["a": bytes(), "b c": bytes()], pictures: some { $0.picture() },
      detail: detail(),
      spare: maybe { $0.detail() })
  }
}
