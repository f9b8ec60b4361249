/// A queue of several lines, one for each client, of which each has its turn: a client that asks for much waits for
/// itself, and not the others for it (round robin).
package struct FairQueue<Client: Hashable, Element> {
  private struct Line {
    var elements: [Element] = []
    /// Elements before this one were taken.
    var first = 0
    var isEmpty: Bool { first == elements.count }

    mutating func popFirst() -> Element {
      defer {
        first += 1
        if first > 64, first > elements.count / 2 {
          elements.removeFirst(first)
          first = 0
        }
      }
      return elements[first]
    }
  }

  private var lines: [Client: Line] = [:]
  /// The clients that wait, in the order of their turns; those before `next` had theirs.
  private var turns: [Client] = []
  private var next = 0
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// How many elements of one client wait.
  package func count(of client: Client) -> Int {
    lines[client].map { $0.elements.count - $0.first } ?? 0
  }

  /// Whether one of another client waits.
  package func hasOther(than client: Client) -> Bool { count > count(of: client) }

  package mutating func append(_ element: Element, of client: Client) {
    if lines[client] == nil { turns.append(client) }
    lines[client, default: Line()].elements.append(element)
    count += 1
  }

  /// Takes the first element of the client whose turn it is. Clients that `isHeld` names are passed over.
  package mutating func popFirst(
    except isHeld: (Client) -> Bool = { _ in false }
  ) -> (client: Client, element: Element)? {
    for _ in next..<turns.count {
      let client = turns[next]
      next += 1
      defer { forgetTurns() }
      if isHeld(client) {
        turns.append(client)
        continue
      }
      // A client has a turn as long as it has a line, which is never empty.
      guard var line = lines.removeValue(forKey: client) else { continue }
      let element = line.popFirst()
      count -= 1
      if !line.isEmpty {
        lines[client] = line
        turns.append(client)
      }
      return (client, element)
    }
    return nil
  }

  /// The client with the longest line.
  package var longest: (client: Client, count: Int)? {
    lines.map { ($0.key, $0.value.elements.count - $0.value.first) }.max { $0.1 < $1.1 }
  }

  /// Takes the last element of a client's line.
  package mutating func popLast(of client: Client) -> Element? {
    guard var line = lines.removeValue(forKey: client), !line.isEmpty else { return nil }
    let element = line.elements.removeLast()
    count -= 1
    if line.isEmpty {
      turns[next...].firstIndex(of: client).map { _ = turns.remove(at: $0) }
    } else {
      lines[client] = line
    }
    return element
  }

  private mutating func forgetTurns() {
    guard next > 64, next > turns.count / 2 else { return }
    turns.removeFirst(next)
    next = 0
  }
}
