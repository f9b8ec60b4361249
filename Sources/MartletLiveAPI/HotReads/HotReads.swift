import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletSQLite

/// Answers from kept results: what was asked for twice is read once, until a commit or the clock changes it.
///
/// `@unchecked Sendable`: each table is used on its loop alone.
final class HotReads: @unchecked Sendable {
  private let results: HotResults
  private let tables: [HotTable]
  private let onEvent: @Sendable (APIEvent) -> Void

  init(
    _ results: HotResults, loops: Int, bytes: Int,
    onEvent: @escaping @Sendable (APIEvent) -> Void
  ) {
    self.results = results
    self.onEvent = onEvent
    tables = (0..<loops).map { _ in HotTable(results, mostBytes: bytes / max(loops, 1)) }
  }

  /// A result that is missing and is to be kept.
  struct Wish {
    fileprivate let reads: HotReads
    fileprivate let key: HotKey
    fileprivate let audience: Audience
    fileprivate let moment: HotResults.Moment

    /// Reads as ``LiveSource/write`` does, and learns what that reads; `nil` where there is nothing.
    func read(
      _ source: LiveSource, _ connection: Connection, into buffer: ByteBuffer
    ) throws -> HotResults.Reading? {
      try reads.results.read(source, connection, into: buffer)
    }

    /// On the loop, when the result has been read: the same as an answer. `nil` where it may have changed since.
    @discardableResult
    func keep(
      _ body: SharedBytes, _ reading: HotResults.Reading, _ request: Request,
      _ context: RequestContext, _ api: API
    ) -> HotRead? {
      let table = reads.tables[context.loop]
      guard table.takes(HotRead.size(body, request), key) else { return nil }
      guard let result = reads.results.keep(body, reading, since: moment, now: api.clock.now())
      else { return nil }
      let read = HotRead(result, request, audience)
      table.keep(read, key)
      return read
    }
  }

  enum Look {
    case kept(Response)
    /// With a wish where the result, once read, is to be kept.
    case missing(Wish?)
  }

  func look(
    _ request: Request, _ audience: Audience, _ context: RequestContext, _ api: API
  ) -> Look {
    guard context.loop < tables.count else { return .missing(nil) }
    let table = tables[context.loop]
    let key = HotKey(request, audience)
    if let read = table.find(key, request, audience, api.clock) {
      onEvent(.answeredFromKept)
      return .kept(read.response(to: request, api))
    }
    guard table.wants(key) else { return .missing(nil) }
    return .missing(Wish(reads: self, key: key, audience: audience, moment: results.moment))
  }
}
