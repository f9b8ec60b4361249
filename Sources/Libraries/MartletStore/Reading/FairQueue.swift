/// A queue with one line per client that serves the clients round robin: a client with many
/// elements delays itself and not the others.
package struct FairQueue<Client: Hashable, Element> {
  private struct Line {
    /// Removed elements are set to `nil` so that they are released, and compacted later.
    private var elements: [Element?] = []
    private var start = 0

    var count: Int { elements.count - start }
    var first: Element? { start < elements.count ? elements[start] : nil }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func prepend(_ others: [Element]) {
      elements.replaceSubrange(..<start, with: others.map(Optional.some))
      start = 0
    }

    mutating func popFirst() -> Element? {
      guard start < elements.count else { return nil }
      let element = elements[start].take()
      start += 1
      if start > 64, start > elements.count / 2 {
        elements.removeFirst(start)
        start = 0
      }
      return element
    }

    mutating func popLast() -> Element? { start < elements.count ? elements.removeLast() : nil }
  }

  private var lines: [Client: Line] = [:]
  /// The waiting clients in turn order. Entries before `next` have had their turn.
  private var turns: [Client] = []
  private var next = 0
  /// The number of elements of all clients.
  package private(set) var count = 0

  /// Creates an empty queue.
  package init() {}

  /// Whether the queue has no elements.
  package var isEmpty: Bool { count == 0 }

  /// The number of elements of one client.
  package func count(of client: Client) -> Int { lines[client]?.count ?? 0 }

  /// The clients that have elements in the queue.
  package var clients: Set<Client> { Set(lines.keys) }

  /// Whether a client other than `client` has elements in the queue.
  package func hasOther(than client: Client) -> Bool { count > count(of: client) }

  /// The first element of each client, in no particular order.
  package var firsts: some Sequence<Element> { lines.values.lazy.compactMap { $0.first } }

  /// Appends an element to the client's line.
  package mutating func append(_ element: Element, of client: Client) {
    if lines[client] == nil { turns.append(client) }
    lines[client, default: Line()].append(element)
    count += 1
  }

  /// Inserts elements at the front of the client's line.
  package mutating func prepend(_ elements: [Element], of client: Client) {
    guard !elements.isEmpty else { return }
    if lines[client] == nil { turns.append(client) }
    lines[client, default: Line()].prepend(elements)
    count += elements.count
  }

  /// Removes and returns the first element of the next client. Clients for whose first element
  /// `isHeld` returns true are skipped.
  package mutating func popFirst(
    except isHeld: (Client, Element) -> Bool = { _, _ in false }
  ) -> (client: Client, element: Element)? {
    for _ in next..<turns.count {
      let client = turns[next]
      next += 1
      defer { forgetTurns() }
      if let first = lines[client]?.first, isHeld(client, first) {
        turns.append(client)
        continue
      }
      // Every client in `turns` has a line, and lines are never empty.
      guard let element = lines[client]?.popFirst() else { continue }
      count -= 1
      if lines[client]?.count == 0 { lines[client] = nil } else { turns.append(client) }
      return (client, element)
    }
    return nil
  }

  /// The client with the longest line, and its length.
  package var longest: (client: Client, count: Int)? {
    var longest: (client: Client, count: Int)?
    for (client, line) in lines where line.count > longest?.count ?? 0 {
      longest = (client, line.count)
    }
    return longest
  }

  /// Removes the last element of the longest line to make room for an element of `client`. Returns
  /// `nil` unless that line is at least two elements longer than the line of `client`.
  package mutating func makeRoom(for client: Client) -> Element? {
    guard let longest, longest.count > count(of: client) + 1 else { return nil }
    return popLast(of: longest.client)
  }

  /// Removes and returns the last element of a client's line.
  package mutating func popLast(of client: Client) -> Element? {
    guard let element = lines[client]?.popLast() else { return nil }
    count -= 1
    forgetLine(of: client)
    return element
  }

  /// Removes the leading elements of each line for which `counts` returns true.
  package mutating func takePrefixes(while counts: (Element) -> Bool) -> [Element] {
    var taken: [Element] = []
    for client in turns[next...] {
      while let first = lines[client]?.first, counts(first) {
        _ = lines[client]?.popFirst()
        taken.append(first)
      }
    }
    guard !taken.isEmpty else { return [] }
    count -= taken.count
    lines = lines.filter { $0.value.count > 0 }
    turns = turns[next...].filter { lines[$0] != nil }
    next = 0
    return taken
  }

  private mutating func forgetLine(of client: Client) {
    guard lines[client]?.count == 0 else { return }
    lines[client] = nil
    turns[next...].firstIndex(of: client).map { _ = turns.remove(at: $0) }
  }

  private mutating func forgetTurns() {
    guard next > 64, next > turns.count / 2 else { return }
    turns.removeFirst(next)
    next = 0
  }
}
