import MartletJSON

/// The difference between two results of one query, by key.
///
/// A result is an object, or a collection: an object with the member `items`, whose rows are
/// objects that begin with their key. The difference lists the rows that were removed, added,
/// changed and moved, as operations to apply in order:
///
///     {"ops": [["-", 3], ["+", 7, {…row…}, 2], ["~", 2, {"title": "new"}], [">", 5, null]],
///      "set": {"nextCursor": null}}
///
/// `["+", key, row, after]` and `[">", key, after]` place a row behind the row with the key
/// `after`, or first if that is `null`. `~` and `set` contain the new value of each changed member.
/// Rows are compared by their bytes; nothing is decoded.
public enum Delta {
  /// The difference as JSON.
  ///
  /// Returns `nil` if the results have different shapes or duplicate keys, or if the difference is
  /// not smaller than the new result.
  public static func between(_ old: SharedBytes, _ new: SharedBytes) -> SharedBytes? {
    guard let before = Shape(old.bytes), let after = Shape(new.bytes) else { return nil }
    let buffer = ByteBuffer(capacity: 512)
    buffer.append(UInt8(ascii: "{"))
    switch (before.rows, after.rows) {
    case (nil, nil): break
    case (let rows?, let newRows?):
      buffer.append("\"ops\":[")
      guard Operations(before, rows, after, newRows, buffer).write() else { return nil }
      buffer.append(UInt8(ascii: "]"))
    case (nil, _?), (_?, nil): return nil
    }
    guard let changed = before.changed(to: after) else { return nil }
    if !changed.isEmpty || after.rows == nil {
      if after.rows != nil { buffer.append(UInt8(ascii: ",")) }
      buffer.append("\"set\":")
      after.write(changed, to: buffer)
    }
    buffer.append(UInt8(ascii: "}"))
    return buffer.count < new.count ? buffer.share() : nil
  }

  /// A row's position in the result, and its key.
  struct Row {
    var key: Key
    var range: Range<Int>
  }

  /// A key, compared by its JSON bytes.
  struct Key: Hashable {
    let bytes: [UInt8]
  }

  /// The outline of a result: its rows if it is a collection, and its other members.
  struct Shape {
    let outline: JSONOutline
    let rows: [Row]?
    let others: [JSONOutline.Member]

    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
      outline = JSONOutline(bytes: bytes)
      guard let members = outline.members(in: 0..<bytes.count) else { return nil }
      let items = Array("\"items\"".utf8)
      let outline = outline
      func isItems(_ member: JSONOutline.Member) -> Bool {
        outline.slice(member.name).elementsEqual(items)
      }
      others = members.filter { !isItems($0) }
      guard let list = members.first(where: isItems) else {
        rows = nil
        return
      }
      guard let elements = outline.elements(in: list.value) else { return nil }
      var rows: [Row] = []
      rows.reserveCapacity(elements.count)
      for element in elements {
        guard let key = outline.members(in: element)?.first else { return nil }
        rows.append(Row(key: Key(bytes: Array(outline.slice(key.value))), range: element))
      }
      self.rows = rows
    }

    /// The members of `other` with a different value; `nil` if the names of the members differ.
    func changed(to other: Shape) -> [JSONOutline.Member]? {
      Shape.changed(outline, others, other.outline, other.others)
    }

    static func changed(
      _ old: JSONOutline, _ before: [JSONOutline.Member], _ new: JSONOutline,
      _ after: [JSONOutline.Member]
    ) -> [JSONOutline.Member]? {
      guard before.count == after.count else { return nil }
      var changed: [JSONOutline.Member] = []
      // The same query wrote both, so their members have the same order.
      for (left, right) in zip(before, after) {
        guard old.slice(left.name).elementsEqual(new.slice(right.name)) else { return nil }
        if !old.slice(left.value).elementsEqual(new.slice(right.value)) { changed.append(right) }
      }
      return changed
    }

    func write(_ members: [JSONOutline.Member], to buffer: ByteBuffer) {
      buffer.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { buffer.append(UInt8(ascii: ",")) }
        buffer.append(outline.slice(member.name))
        buffer.append(UInt8(ascii: ":"))
        buffer.append(outline.slice(member.value))
      }
      buffer.append(UInt8(ascii: "}"))
    }
  }
}
