import MartletHTTP
import MartletLiveQueries
import MartletTime

/// The response cache of one event loop. Used only on that loop.
///
/// A result is cached on the second request for it, if the small table of recent requests still has
/// the first one. Entries are evicted by the clock algorithm when the table exceeds its size limit.
final class CacheTable {
  private struct Entry {
    let read: CachedResponse
    /// Whether it was used since the clock hand last passed.
    var wasUsed = false
    /// Whether it was ever used.
    var wasWanted = false
    let place: Int
  }

  private var entries: [Int: Entry] = [:]
  /// The hashes of the entries in the ring of the clock algorithm; `nil` is a free place.
  private var ring: [Int?] = []
  private var free: [Int] = []
  private var hand = 0
  private var bytes = 0
  private let mostBytes: Int
  /// Hashes of recent requests without an entry: two for each place, the latest first.
  private var seen = [(Int, Int)](repeating: (0, 0), count: 512)
  /// Hashes of requests whose results are too large to cache. Recording dependencies for them would
  /// be wasted work.
  private var tooLarge = [Int](repeating: 0, count: 1024)

  init(mostBytes: Int) { self.mostBytes = mostBytes }

  func find(
    _ key: CacheKey, _ request: Request, _ audience: Audience, _ clock: Clock
  ) -> CachedResponse? {
    guard let entry = entries[key.hash], entry.read.answers(request, audience) else { return nil }
    guard entry.read.result.holds(clock) else {
      remove(key.hash)
      // It was never used, so it must be requested twice again before it is cached.
      if !entry.wasWanted { forget(key) }
      return nil
    }
    if !entry.wasUsed {
      entries[key.hash]?.wasUsed = true
      entries[key.hash]?.wasWanted = true
    }
    return entry.read
  }

  /// Whether the missing result of a request should be cached.
  func wants(_ key: CacheKey) -> Bool {
    if tooLarge[slot(key)] == key.hash { return false }
    let place = key.hash & (seen.count - 1)
    let (last, one) = seen[place]
    if last == key.hash || one == key.hash { return true }
    seen[place] = (key.hash, last)
    return false
  }

  private func forget(_ key: CacheKey) {
    let place = key.hash & (seen.count - 1)
    if seen[place].0 == key.hash { seen[place].0 = 0 }
    if seen[place].1 == key.hash { seen[place].1 = 0 }
  }

  private func slot(_ key: CacheKey) -> Int { key.hash & (tooLarge.count - 1) }

  /// Whether a result of this size is cached. Checked before an entry is created: a result that
  /// would take a large part of the table, or would be slow to compress on the loop, is not cached
  /// and not attempted again.
  func takes(_ size: Int, _ key: CacheKey) -> Bool {
    if size <= min(mostBytes / 4, 256 << 10) { return true }
    remove(key.hash)
    tooLarge[slot(key)] = key.hash
    return false
  }

  /// Caches a result for which ``takes(_:_:)`` returned true.
  func keep(_ read: CachedResponse, _ key: CacheKey) {
    remove(key.hash)
    let size = read.size
    while bytes + size > mostBytes { evict() }
    let place = free.popLast() ?? ring.count
    if place == ring.count { ring.append(nil) }
    ring[place] = key.hash
    entries[key.hash] = Entry(read: read, place: place)
    bytes += size
  }

  private func evict() {
    hand = hand + 1 < ring.count ? hand + 1 : 0
    guard let hash = ring[hand] else { return }
    if entries[hash]?.wasUsed == true { entries[hash]?.wasUsed = false } else { remove(hash) }
  }

  private func remove(_ hash: Int) {
    guard let entry = entries.removeValue(forKey: hash) else { return }
    ring[entry.place] = nil
    free.append(entry.place)
    bytes -= entry.read.size
  }
}
