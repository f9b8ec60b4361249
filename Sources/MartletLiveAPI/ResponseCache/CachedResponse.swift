import Glibc
import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletStore

/// Where the cache looks for a request's result: by its target as it came, and by its audience. The hash has a seed of
/// this process: nobody can make up requests that share one.
struct CacheKey {
  let hash: Int

  init(_ request: Request, _ audience: Audience) {
    var hasher = Hasher()
    request.withTarget { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    audience.hash(request, into: &hasher)
    hash = hasher.finalize()
  }
}

/// A kept result as an answer.
final class CachedResponse {
  let result: CachedResult
  private let target: [UInt8]
  private let members: ResultKey.Audience
  private let tag: ETag
  private let plain: Representation
  /// Made for the first client that likes it.
  private lazy var compressed = Representation(
    .shared(SharedBytes(Gzip.compress(result.body.bytes))), tag, isCompressed: true)
  let size: Int

  init(_ result: CachedResult, _ request: Request, _ audience: Audience) {
    self.result = result
    target = request.withTarget { Array($0) }
    members = audience.members(request)
    tag = ETag(hashing: result.body.bytes)
    plain = Representation(.shared(result.body), tag)
    size = CachedResponse.size(result.body, request)
  }

  /// With the compressed form and what was learned of the rows, which is about as much again.
  static func size(_ body: SharedBytes, _ request: Request) -> Int {
    2 * body.count + request.withTarget(\.count) + 1024
  }

  func answers(_ request: Request, _ audience: Audience) -> Bool {
    members == audience.members(request)
      && request.withTarget {
        guard let base = $0.baseAddress, target.count == $0.count else { return false }
        return memcmp(target, base, $0.count) == 0
      }
  }

  func response(to request: Request, _ context: Context) -> Response {
    Representation.answer(request, tag, result.body.count, context) { isCompressed in
      isCompressed ? compressed : plain
    }
  }
}
