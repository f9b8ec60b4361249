import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletSQLite
import MartletStore
import MartletTime

/// Caches results until a commit or the clock changes them. A result is cached on the second
/// request for it.
///
/// `@unchecked Sendable`: each table is used only on its event loop.
final class ResponseCache: @unchecked Sendable {
  fileprivate let invalidation: Invalidation
  fileprivate let tables: [CacheTable]
  private let onEvent: @Sendable (APIEvent) -> Void

  init(
    _ invalidation: Invalidation, loops: Int, bytes: Int,
    onEvent: @escaping @Sendable (APIEvent) -> Void
  ) {
    self.invalidation = invalidation
    self.onEvent = onEvent
    tables = (0..<loops).map { _ in CacheTable(mostBytes: bytes / max(loops, 1)) }
  }

  enum Lookup {
    case hit(Response)
    /// The ``CacheMiss`` is `nil` if the result should not be cached.
    case miss(CacheMiss?)
  }

  func lookUp(
    _ request: Request, _ audience: Audience, _ loop: RequestContext, _ context: Context
  ) -> Lookup {
    guard loop.loop < tables.count else { return .miss(nil) }
    let table = tables[loop.loop]
    let key = CacheKey(request, audience)
    if let cached = table.find(key, request, audience, context.clock) {
      onEvent(.cacheHit)
      return .hit(cached.response(to: request, context))
    }
    guard table.wants(key) else { return .miss(nil) }
    return .miss(CacheMiss(cache: self, key: key, audience: audience, commit: invalidation.commit))
  }
}

/// A cache miss whose result should be cached.
struct CacheMiss {
  fileprivate let cache: ResponseCache
  fileprivate let key: CacheKey
  fileprivate let audience: Audience
  /// The number of the last commit before the read.
  fileprivate let commit: UInt64

  /// The dependencies of a result, and when the clock changes it.
  struct Reading: Sendable {
    fileprivate let dependencies: Dependencies
    fileprivate let end: Instant?
  }

  /// Reads a result like ``LiveSource/write`` and records its dependencies; `nil` if the item does
  /// not exist.
  func read(
    _ source: LiveSource, _ connection: Connection, into buffer: ByteBuffer
  ) throws -> Reading? {
    let ((isThere, end), dependencies) = try cache.invalidation.read(connection) {
      // Read before the result, so that an instant that passes meanwhile ends the entry.
      let end = try source.nextChange?(connection)
      return (try source.write(connection, buffer), end)
    }
    return isThere ? Reading(dependencies: dependencies, end: end) : nil
  }

  /// Caches a result. Called on the event loop after the read.
  ///
  /// Returns `nil`, and caches nothing, if the result is already stale, too large, or cannot be
  /// invalidated.
  @discardableResult
  func keep(
    _ body: SharedBytes, _ reading: Reading, _ request: Request, _ loop: RequestContext,
    _ context: Context
  ) -> CachedResponse? {
    let dependencies = reading.dependencies
    let table = cache.tables[loop.loop]
    guard table.takes(CachedResponse.size(body, request), key), !dependencies.isUnknown,
      !dependencies.readsClock || reading.end != nil
    else { return nil }
    let token = cache.invalidation.register(dependencies, since: commit)
    guard !token.isStale else { return nil }
    let cached = CachedResponse(
      CachedResult(body, token, made: context.clock.now(), end: reading.end), request, audience)
    table.keep(cached, key)
    return cached
  }
}
