/// The members of an object, or the parameters of a query.
struct DecodedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: RequestDecoder
  private let members: [[UInt8]: DecodedValue]
  private let names: [String]
  var codingPath: [any CodingKey] { decoder.codingPath }

  init(_ decoder: RequestDecoder) {
    self.decoder = decoder
    guard let found = decoder.value.members else {
      decoder.faults.add("expected an object, got \(decoder.value.shown)", at: decoder.codingPath)
      (members, names) = ([:], [])
      isFaulty = true
      return
    }
    isFaulty = decoder.value.isFaulty
    var members: [[UInt8]: DecodedValue] = [:]
    for (name, value, count) in found {
      if count > 1 {
        // It is unknown which value is meant, so none is used.
        decoder.faults.add(
          "appears \(count) times", at: decoder.codingPath + [DecodedKey(name)])
      }
      members[Array(name.utf8)] = count > 1 ? .faulty : value
    }
    self.members = members
    names = found.map(\.name)
  }

  /// Whether the object itself is at fault, so that missing members are not reported.
  private let isFaulty: Bool

  private func value(_ key: Key) -> DecodedValue? {
    decoder.known.insert(key.stringValue)
    return members[Array(key.stringValue.utf8)]
  }

  /// The value of a required member.
  private func required(_ key: Key) -> DecodedValue {
    if let value = value(key) { return value }
    if !isFaulty { decoder.faults.add("is required", at: path(key)) }
    return .faulty
  }

  private func path(_ key: Key) -> [any CodingKey] { codingPath + [key] }

  private func child(_ key: Key) -> RequestDecoder {
    decoder.child(required(key), at: path(key))
  }

  var allKeys: [Key] {
    decoder.takesAll = true
    return names.compactMap { Key(stringValue: $0) }
  }

  func contains(_ key: Key) -> Bool { value(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { value(key)?.isNull ?? true }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try RequestDecoder.read(type, required(key), at: path(key), decoder.faults)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let value = value(key), !value.isNull, !value.isFaulty else { return nil }
    do {
      return try RequestDecoder.read(type, value, at: path(key), decoder.faults)
    } catch is RequestDecoder.Stop {
      return nil
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try child(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try child(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { child(key) }
}

/// The elements of an array, or the values of a parameter.
struct DecodedElements: UnkeyedDecodingContainer {
  private let decoder: RequestDecoder
  private let elements: [DecodedValue]
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { decoder.codingPath }

  init(_ decoder: RequestDecoder) {
    self.decoder = decoder
    if decoder.value.elements == nil {
      decoder.faults.add("expected an array, got \(decoder.value.shown)", at: decoder.codingPath)
    }
    elements = decoder.value.elements ?? []
  }

  var count: Int? { elements.count }
  /// Also true once no further fault would be listed.
  var isAtEnd: Bool { currentIndex >= elements.count || decoder.faults.areEnough }

  private var path: [any CodingKey] { codingPath + [DecodedKey(currentIndex)] }

  private mutating func next() -> DecodedValue {
    guard currentIndex < elements.count else {
      if !decoder.value.isFaulty { decoder.faults.add("is required", at: path) }
      return .faulty
    }
    defer { currentIndex += 1 }
    return elements[currentIndex]
  }

  private mutating func child() -> RequestDecoder {
    let path = path
    return decoder.child(next(), at: path)
  }

  mutating func decodeNil() throws -> Bool {
    guard currentIndex < elements.count, elements[currentIndex].isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let path = path
    return try RequestDecoder.read(type, next(), at: path, decoder.faults)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try child().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try child().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { child() }
}

/// A single value.
struct DecodedSingle: SingleValueDecodingContainer {
  private let decoder: RequestDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  init(_ decoder: RequestDecoder) { self.decoder = decoder }

  func decodeNil() -> Bool { decoder.value.isNull }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try RequestDecoder.read(type, decoder.value, at: codingPath, decoder.faults)
  }
}
