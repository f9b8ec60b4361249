import Synchronization

/// Objects that go with a database, one of a type, held by those who use them.
final class Attachments: Sendable {
  private struct Held { weak var object: (any AnyObject & Sendable)? }

  private let held = Mutex<[ObjectIdentifier: Held]>([:])

  /// `make` may itself ask for an object of another type. Where two threads make one at once, one of the two objects is
  /// dropped.
  func object<Object: AnyObject & Sendable>(_ make: () throws -> Object) rethrows -> Object {
    if let object = find(Object.self) { return object }
    let made = try make()
    return held.withLock { held in
      let id = ObjectIdentifier(Object.self)
      if let object = held[id]?.object as? Object { return object }
      held[id] = Held(object: made)
      return made
    }
  }

  private func find<Object: AnyObject & Sendable>(_: Object.Type) -> Object? {
    held.withLock { $0[ObjectIdentifier(Object.self)]?.object as? Object }
  }
}
