/// A queue of several lines, one for each client, of which each has its turn: a client that asks for much waits for
/// itself, and not the others for it (round robin).
package struct FairQueue<Client: Hashable, Element> {
  private struct Line {
    /// Those that were taken are `nil`: nothing holds them any longer.
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
  /// The clients that wait, in the order of their turns; those before `next` had theirs.
  private var turns: [Client] = []
  private var next = 0
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// How many elements of one client wait.
  package func count(of client: Client) -> Int { lines[client]?.count ?? 0 }

  /// The clients that wait.
  package var clients: Set<Client> { Set(lines.keys) }

  /// Whether one of another client waits.
  package func hasOther(than client: Client) -> Bool { count > count(of: client) }

  /// The first of each client's, in no order.
  package var firsts: some Sequence<Element> { lines.values.lazy.compactMap(\.first) }

  package mutating func append(_ element: Element, of client: Client) {
    if lines[client] == nil { turns.append(client) }
    lines[client, default: Line()].append(element)
    count += 1
  }

  /// Puts elements before those of a client that wait.
  package mutating func prepend(_ elements: [Element], of client: Client) {
    guard !elements.isEmpty else { return }
    if lines[client] == nil { turns.append(client) }
    lines[client, default: Line()].prepend(elements)
    count += elements.count
  }

  /// Takes the first element of the client whose turn it is. Clients whose first `isHeld` names are passed over.
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
      // A client has a turn as long as it has a line, which is never empty.
      guard let element = lines[client]?.popFirst() else { continue }
      count -= 1
      if lines[client]?.count == 0 { lines[client] = nil } else { turns.append(client) }
      return (client, element)
    }
    return nil
  }

  /// The client with the longest line.
  package var longest: (client: Client, count: Int)? {
    var longest: (client: Client, count: Int)?
    for (client, line) in lines where line.count > longest?.count ?? 0 {
      longest = (client, line.count)
    }
    return longest
  }

  /// Takes the last element of the client with the longest line, so that one of `client` has room; nothing where
  /// no other has at least two more than it: then it is the one that waits.
  package mutating func makeRoom(for client: Client) -> Element? {
    guard let longest, longest.count > count(of: client) + 1 else { return nil }
    return popLast(of: longest.client)
  }

  /// Takes the last element of a client's line.
  package mutating func popLast(of client: Client) -> Element? {
    guard let element = lines[client]?.popLast() else { return nil }
    count -= 1
    forgetLine(of: client)
    return element
  }

  /// Takes of each line the elements up to the first that does not count.
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
