import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletSQLite
import MartletStore
import MartletTime

/// Answers requests whose result was read before, until a commit or the clock changes it. What was asked for twice is
/// kept.
///
/// `@unchecked Sendable`: each table is used on its loop alone.
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
    /// With a miss where the result, once read, is to be kept.
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

/// A result that is missing in the cache and is to be kept.
struct CacheMiss {
  fileprivate let cache: ResponseCache
  fileprivate let key: CacheKey
  fileprivate let audience: Audience
  /// The last commit before the read.
  fileprivate let commit: UInt64

  /// What a result has read, and until when it holds if no commit touches that.
  struct Reading: Sendable {
    fileprivate let dependencies: Dependencies
    fileprivate let end: Instant?
  }

  /// Reads as ``LiveSource/write`` does, and learns what that reads; `nil` where there is nothing.
  func read(
    _ source: LiveSource, _ connection: Connection, into buffer: ByteBuffer
  ) throws -> Reading? {
    let ((isThere, end), dependencies) = try cache.invalidation.read(connection) {
      (try source.write(connection, buffer), try source.nextChange?(connection))
    }
    return isThere ? Reading(dependencies: dependencies, end: end) : nil
  }

  /// On the loop, when the result has been read: the same as an answer. `nil` where it is stale already, or cannot be known
  /// to become so.
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
