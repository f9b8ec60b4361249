/// A connection's slot in its loop's table.
///
/// The generation distinguishes it from earlier connections in the same slot, so late answers and
/// events for those are dropped.
struct ConnectionID: Hashable, Sendable {
  let slot: UInt32
  let generation: UInt32

  /// The identifier that epoll returns with an event.
  var token: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

  init(slot: UInt32, generation: UInt32) {
    self.slot = slot
    self.generation = generation
  }

  init(token: UInt64) {
    self.init(slot: UInt32(truncatingIfNeeded: token), generation: UInt32(token >> 32))
  }
}

/// The connections of one loop.
struct ConnectionTable {
  private struct Slot {
    var connection: Connection?
    var generation: UInt32 = 1
  }

  private var slots: [Slot] = []
  private var free: [UInt32] = []
  private(set) var count = 0

  /// Reserves a slot for a new connection, which ``insert(_:)`` fills.
  mutating func reserve() -> ConnectionID {
    if let slot = free.popLast() {
      return ConnectionID(slot: slot, generation: slots[Int(slot)].generation)
    }
    slots.append(Slot())
    return ConnectionID(slot: UInt32(slots.count - 1), generation: 1)
  }

  mutating func insert(_ connection: Connection) {
    slots[Int(connection.id.slot)].connection = connection
    count += 1
  }

  /// Frees a slot, whether or not it was filled.
  mutating func remove(_ id: ConnectionID) {
    let slot = Int(id.slot)
    guard slot < slots.count, slots[slot].generation == id.generation else { return }
    if slots[slot].connection != nil { count -= 1 }
    slots[slot].connection = nil
    // 0xFFFFFFFF is the generation of the loop's own descriptors.
    slots[slot].generation = slots[slot].generation == 0xFFFF_FFFE ? 1 : id.generation + 1
    free.append(id.slot)
  }

  subscript(id: ConnectionID) -> Connection? {
    let slot = Int(id.slot)
    guard slot < slots.count, slots[slot].generation == id.generation else { return nil }
    return slots[slot].connection
  }

  subscript(slot slot: Int) -> Connection? { slots[slot].connection }

  /// The current connections.
  var all: [Connection] { slots.compactMap(\.connection) }
}
