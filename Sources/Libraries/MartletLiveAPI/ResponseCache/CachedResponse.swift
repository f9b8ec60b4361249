import Glibc
import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletStore

/// The key of a request in the response cache: a hash of its target and its audience. The hash is
/// seeded per process, so clients cannot construct collisions.
struct CacheKey {
  let hash: Int

  init(_ request: Request, _ audience: Audience) {
    var hasher = Hasher()
    request.withTarget { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    audience.hash(request, into: &hasher)
    hash = hasher.finalize()
  }
}

/// A cached result with its response.
final class CachedResponse {
  let result: CachedResult
  private let target: [UInt8]
  private let members: ResultKey.Audience
  private let tag: ETag
  private let plain: Representation
  /// Compressed for the first client that accepts gzip.
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

  /// The estimated size, which includes the compressed form and the recorded dependencies. These
  /// are about as large again.
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
