import Synchronization

/// Objects attached to a database, at most one per type. References are weak: users hold the
/// objects.
final class Attachments: Sendable {
  private struct Held { weak var object: (any AnyObject & Sendable)? }

  private let held = Mutex<[ObjectIdentifier: Held]>([:])

  /// Returns the attached object, or creates and attaches one.
  ///
  /// `make` may itself request an object of another type, so it runs without the lock. If two
  /// threads create an object of the same type at once, one of the two is discarded.
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
