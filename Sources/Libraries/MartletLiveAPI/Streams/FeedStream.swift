import MartletHTTP
import MartletLiveQueries

/// A feed as an event stream: its pages from a token on, without end.
enum FeedStream {
  /// Reads the first page before the head is sent, so that an error is a plain response.
  ///
  /// The head's channel is joined before that, so that no commit is missed.
  static func follow(
    _ source: FeedSource, _ request: Request, _ streams: LiveStreams
  ) -> Outcome {
    let resumed = LiveRoute.lastEventID(request) ?? ""
    let start = resumed.isEmpty ? source.since : resumed
    let context = streams.context
    return .laterStream { responder in
      let membership = streams.join(source.head)
      let channel = membership.channel
      let pages = channel.pages { FeedPages(source.page, context) }
      let waiting = channel.whenReady(run: channel.firstFreshRun) { published in
        let run = published.state.run
        let read = pages.read(after: start, run: run, client: source.head.client)
        // The read is given up with its last owner.
        responder.onCancel { withExtendedLifetime(read) {} }
        read.whenDone { result in
          switch result {
          case .success(let page):
            responder.stream(
              LiveRoute.stream(request, woken: channel.broadcast) { access, stream in
                FeedFollower(
                  membership, pages, page, run: run, client: source.head.client, access, stream)
              })
          case .failure(let error):
            let problem = context.varied(error, to: request)
            responder.respond(
              pages.isRefused(error) ? LiveRoute.goodbye(.overload, request) : problem)
          }
        }
      }
      responder.onCancel { waiting.cancel() }
    }
  }
}

/// The position of one event stream in its feed.
///
/// It has at most one page, or one read in flight. The next page is read when the socket has
/// accepted the one before, because only then the stream asks for an event.
private final class FeedFollower: EventSource {
  private let membership: Membership
  private let pages: FeedPages
  private let client: Int
  private let access: Access
  /// Owns this object.
  private unowned let stream: EventStream
  /// The page of the first event.
  private var first: FeedPages.Page?
  private var read: FeedRead?
  /// The token after the last page.
  private var token: String?
  /// The run of the head whose entries the stream has or is about to read.
  private var run: UInt64
  /// Whether there may be entries after the token.
  private var isBehind = false

  init(
    _ membership: Membership, _ pages: FeedPages, _ first: FeedPages.Page, run: UInt64, client: Int,
    _ access: Access, _ stream: EventStream
  ) {
    self.membership = membership
    self.pages = pages
    self.first = first
    self.run = run
    self.client = client
    self.access = access
    self.stream = stream
  }

  func next() -> EventStream.Next {
    if access.isEnded { return Goodbye.ended }
    if let first {
      self.first = nil
      pass(first, run: run)
      return .send(first.event)
    }
    while true {
      // A run that fails counts as well: the page tells whether the feed can be read.
      if let state = membership.channel.published?.state, state.run > run {
        run = state.run
        isBehind = true
      }
      guard let read = read ?? nextRead() else { return .wait }
      guard let result = read.result else { return .wait }
      self.read = nil
      read.broadcast.leave(stream)
      switch result {
      case .success(let page):
        pass(page, run: read.run)
        if !page.isEmpty { return .send(page.event) }
      case .failure(let error): return .sendAndEnd(read.lastEvent(of: error, pages))
      }
    }
  }

  /// Starts or joins the read of the next page; `nil` at the end of the feed.
  private func nextRead() -> FeedRead? {
    guard isBehind else { return nil }
    let read = pages.read(after: token, run: run, client: client)
    self.read = read
    // Joined before the result is read again, so that its wake is not missed.
    if read.result == nil { read.broadcast.join(stream) }
    return read
  }

  /// Moves behind a page that was read for `run`.
  private func pass(_ page: FeedPages.Page, run read: UInt64) {
    token = page.next
    isBehind = page.hasMore || read < run
  }
}
