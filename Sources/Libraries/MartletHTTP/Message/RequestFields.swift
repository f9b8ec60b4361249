/// The header fields of a request, in the order in which they were received.
///
/// Names are compared without case (RFC 9110 section 5.1). Values have no blanks at their ends.
/// Bytes that are not UTF-8 become U+FFFD.
public struct RequestFields: Sendable {
  let storage: RequestStorage

  /// The number of field lines.
  public var count: Int { storage.fields.count }

  /// The first value of a field.
  public subscript(name: StaticString) -> String? {
    withFirst(name) { $0.text }
  }

  /// The first value of a field, for a name made at run time.
  public func first(_ name: String) -> String? {
    var name = name
    return name.withUTF8 { storage.first($0)?.text }
  }

  /// All values of a field, joined by `, `, which means the same as separate lines (RFC 9110
  /// section 5.2).
  ///
  /// Do not use it for `Cookie`, which has its own separator.
  public func list(_ name: StaticString) -> String? {
    var joined: String?
    visit { key, value in
      if key.equalsIgnoringCase(name) {
        joined = joined.map { $0 + ", " + value.text } ?? value.text
      }
    }
    return joined
  }

  /// The last element of a list, without the white space around it.
  public func lastElement(of name: StaticString) -> String? {
    guard var list = list(name) else { return nil }
    var last: String?
    list.withUTF8 { $0.visitListMembers { last = $0.text } }
    return last
  }

  /// Whether there is a field of this name.
  public func contains(_ name: StaticString) -> Bool {
    withFirst(name) { _ in true } ?? false
  }

  /// Calls `body` with the bytes of the first value, without making a string.
  package func withFirst<Result>(
    _ name: StaticString, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result? {
    let bytes = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    return storage.first(bytes).map(body)
  }

  /// Calls `body` with the name and value of each field. The bytes belong to the request and are
  /// valid during the call.
  package func visit(
    _ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Void
  ) {
    for field in storage.fields { body(storage[field.name], storage[field.value]) }
  }

  /// The names and values as strings, in order.
  public var all: [(name: String, value: String)] {
    storage.fields.map { (storage[$0.name].text, storage[$0.value].text) }
  }
}
