extension JSONValue {
  /// The member of an object, or `nil` if it is missing or the value is not an object.
  ///
  /// ```swift
  /// value["items"]?[0]?["title"]?.string
  /// ```
  public subscript(name: String) -> JSONValue? { object?[name] }

  /// The element of an array, or `nil` past its end or if the value is not an array.
  public subscript(index: Int) -> JSONValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }
}
