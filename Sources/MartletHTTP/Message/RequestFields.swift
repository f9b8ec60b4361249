/// The header fields of a request, in the order in which they came.
///
/// Names are compared without case (RFC 9110 section 5.1); values have no blanks at their ends.
/// Bytes that are not UTF-8 become U+FFFD.
public struct RequestFields: Sendable {
  let storage: RequestStorage

  public var count: Int { storage.fields.count }

  /// The first value of that name.
  public subscript(name: StaticString) -> String? {
    withFirst(name) { $0.text }
  }

  /// The first value of that name, for names that are made at run time.
  public func first(_ name: String) -> String? {
    var name = name
    return name.withUTF8 { storage.first($0)?.text }
  }

  /// All values of that name, joined by `, `, which means the same as the separate lines
  /// (RFC 9110 section 5.2). Not for `Cookie`, which has a separator of its own.
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

  public func contains(_ name: StaticString) -> Bool {
    withFirst(name) { _ in true } ?? false
  }

  /// Calls `body` with the first value's bytes, for which no text is made.
  package func withFirst<Result>(
    _ name: StaticString, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result? {
    let bytes = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    return storage.first(bytes).map(body)
  }

  /// Calls `body` with each field's name and value. The bytes are those of the request and valid
  /// during the call.
  package func visit(
    _ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Void
  ) {
    for field in storage.fields { body(storage[field.name], storage[field.value]) }
  }

  /// Names and values as texts.
  public var all: [(name: String, value: String)] {
    storage.fields.map { (storage[$0.name].text, storage[$0.value].text) }
  }
}
