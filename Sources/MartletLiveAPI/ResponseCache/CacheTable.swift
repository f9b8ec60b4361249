import MartletHTTP
import MartletLiveQueries
import MartletTime

/// One loop's kept results, by request. Used on that loop alone.
///
/// What is asked for once is not kept: the second request for the same thing, before another one has taken its place in a
/// small table, has its result kept. Past the bound those go that were not asked for lately (the clock algorithm).
final class CacheTable {
  private struct Entry {
    let read: CachedResponse
    /// Asked for since the hand came by.
    var wasUsed = false
    /// Asked for at all.
    var wasWanted = false
    let place: Int
  }

  private var entries: [Int: Entry] = [:]
  /// The entries' hashes, in a ring; `nil` is free.
  private var ring: [Int?] = []
  private var free: [Int] = []
  private var hand = 0
  private var bytes = 0
  private let mostBytes: Int
  /// Hashes of requests that were not kept, two for each place, the last one first.
  private var seen = [(Int, Int)](repeating: (0, 0), count: 512)
  /// Those whose results are not kept: to learn what they read costs something.
  private var tooLarge = [Int](repeating: 0, count: 1024)

  init(mostBytes: Int) { self.mostBytes = mostBytes }

  func find(
    _ key: CacheKey, _ request: Request, _ audience: Audience, _ clock: Clock
  ) -> CachedResponse? {
    guard let entry = entries[key.hash], entry.read.answers(request, audience) else { return nil }
    guard entry.read.result.holds(clock) else {
      remove(key.hash)
      // Not asked for before it passed: it has to show again that it is asked for twice.
      if !entry.wasWanted { forget(key) }
      return nil
    }
    if !entry.wasUsed {
      entries[key.hash]?.wasUsed = true
      entries[key.hash]?.wasWanted = true
    }
    return entry.read
  }

  /// Whether the result is to be kept, which is missing here.
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

  /// Whether a result of that size would be kept. Asked before anything is made of it: one that fills a part of the
  /// table that others share, or takes long to be compressed on a loop, is not; nor is it wished for again.
  func takes(_ size: Int, _ key: CacheKey) -> Bool {
    if size <= min(mostBytes / 4, 256 << 10) { return true }
    remove(key.hash)
    tooLarge[slot(key)] = key.hash
    return false
  }

  /// Keeps a result that it ``takes(_:_:)``.
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
