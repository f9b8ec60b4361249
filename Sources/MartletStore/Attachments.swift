import Synchronization

/// Objects that go with a database, one of a type, held by those who use them.
final class Attachments: Sendable {
  private struct Held { weak var object: (any AnyObject & Sendable)? }

  private let held = Mutex<[ObjectIdentifier: Held]>([:])

  func object<Object: AnyObject & Sendable>(_ make: () throws -> Object) rethrows -> Object {
    try held.withLock { held in
      let id = ObjectIdentifier(Object.self)
      if let object = held[id]?.object as? Object { return object }
      let object = try make()
      held[id] = Held(object: object)
      return object
    }
  }
}
