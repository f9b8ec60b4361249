import Synchronization

// The property wrappers that the seed's views take from SwiftUI: they can change inside a value.

@propertyWrapper
struct State<Value: Sendable>: Sendable {
  private final class Storage: Sendable {
    let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
  }
  private let storage: Storage

  init(wrappedValue: Value) { storage = Storage(wrappedValue) }

  var wrappedValue: Value {
    get { storage.value.withLock { $0 } }
    nonmutating set { storage.value.withLock { $0 = newValue } }
  }
  var projectedValue: Binding<Value> { Binding(state: self) }
}

@propertyWrapper
struct Binding<Value: Sendable>: Sendable {
  let state: State<Value>

  var wrappedValue: Value {
    get { state.wrappedValue }
    nonmutating set { state.wrappedValue = newValue }
  }
  var projectedValue: Binding<Value> { self }
}
