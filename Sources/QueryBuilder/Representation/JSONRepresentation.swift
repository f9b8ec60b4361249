import FoundationEssentials

/// A `Codable` value in one column, as JSON text: `@Column(as: [String].JSONRepresentation.self)`.
public struct CodableJSONRepresentation<Value: Codable>: ColumnRepresentation {
  public typealias QueryOutput = Value
  public static var kind: ColumnKind { .json }

  public static func bind(_ value: Value) -> QueryBinding {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return .text(String(decoding: try encoder.encode(value), as: UTF8.self))
    } catch {
      return .invalid(reason: "\(Value.self) cannot be encoded as JSON: \(error)")
    }
  }

  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Value {
    let problem = row.problem("\(Value.self) as JSON")
    let text = try row.string()
    do {
      return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    } catch {
      throw problem
    }
  }
}

extension Decodable where Self: Encodable {
  public typealias JSONRepresentation = CodableJSONRepresentation<Self>
}

func jsonText(_ value: some Encodable) -> QueryBinding {
  do {
    return .text(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
  } catch {
    return .invalid(reason: "\(type(of: value)) cannot be encoded as JSON: \(error)")
  }
}

/// `nil` where `text` is not JSON for a `type`: the caller names the column.
func jsonValue<T: Decodable>(_ type: T.Type, _ text: String) -> T? {
  try? JSONDecoder().decode(type, from: Data(text.utf8))
}
