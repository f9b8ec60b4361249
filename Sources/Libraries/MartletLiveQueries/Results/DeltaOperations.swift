import MartletJSON

extension Delta {
  /// The operations that turn one list of rows into another.
  ///
  /// The rows that stay in place are a longest common subsequence of both lists; the other rows
  /// move. Each operation names the preceding row of the new list, which is already in its place
  /// then.
  struct Operations {
    private let old: Shape
    private let new: Shape
    private let before: [Row]
    private let after: [Row]
    private let buffer: ByteBuffer

    init(_ old: Shape, _ before: [Row], _ new: Shape, _ after: [Row], _ buffer: ByteBuffer) {
      self.old = old
      self.new = new
      self.before = before
      self.after = after
      self.buffer = buffer
    }

    /// Writes the operations. Returns false if a key occurs twice or the members of a row differ in
    /// name.
    func write() -> Bool {
      var places: [Key: Int] = [:]
      for (place, row) in before.enumerated() {
        guard places.updateValue(place, forKey: row.key) == nil else { return false }
      }
      var kept: Set<Key> = []
      for row in after {
        guard kept.insert(row.key).inserted else { return false }
      }
      var isFirst = true
      func begin(_ operation: StaticString, _ key: Key) {
        if !isFirst { buffer.append(UInt8(ascii: ",")) }
        isFirst = false
        buffer.append(operation)
        buffer.append(key.bytes)
      }
      for row in before where !kept.contains(row.key) {
        begin("[\"-\",", row.key)
        buffer.append(UInt8(ascii: "]"))
      }
      let fixed = inOrder(after.compactMap { places[$0.key] })
      var previous: Key?
      for row in after {
        defer { previous = row.key }
        guard let place = places[row.key] else {
          begin("[\"+\",", row.key)
          buffer.append(UInt8(ascii: ","))
          buffer.append(new.outline.slice(row.range))
          end(after: previous)
          continue
        }
        if !fixed.contains(place) {
          begin("[\">\",", row.key)
          end(after: previous)
        }
        let oldRow = before[place].range
        if old.outline.slice(oldRow).elementsEqual(new.outline.slice(row.range)) { continue }
        guard let members = old.outline.members(in: oldRow),
          let newMembers = new.outline.members(in: row.range),
          let changed = Shape.changed(old.outline, members, new.outline, newMembers)
        else { return false }
        begin("[\"~\",", row.key)
        buffer.append(UInt8(ascii: ","))
        new.write(changed, to: buffer)
        buffer.append(UInt8(ascii: "]"))
      }
      return true
    }

    private func end(after key: Key?) {
      buffer.append(UInt8(ascii: ","))
      if let key { buffer.append(key.bytes) } else { buffer.append("null") }
      buffer.append(UInt8(ascii: "]"))
    }

    /// A longest increasing subsequence, as a set. Binary search makes it O(n log n).
    private func inOrder(_ places: [Int]) -> Set<Int> {
      var tails: [Int] = []
      var previous = [Int?](repeating: nil, count: places.count)
      for (index, place) in places.enumerated() {
        var low = 0
        var high = tails.count
        while low < high {
          let middle = (low + high) / 2
          if places[tails[middle]] < place { low = middle + 1 } else { high = middle }
        }
        previous[index] = low > 0 ? tails[low - 1] : nil
        if low == tails.count { tails.append(index) } else { tails[low] = index }
      }
      var result: Set<Int> = []
      var index = tails.last
      while let current = index {
        result.insert(places[current])
        index = previous[current]
      }
      return result
    }
  }
}
