import MartletJSON

extension Connection {
  /// Content that is made while it is sent, and the answer that it belongs to.
  struct Content {
    let source: any BodySource
    let status: Status
    let fields: Fields
  }

  /// A piece's largest size: four hexadecimal digits.
  private static let pieceSize = 0xFFFF

  /// The head has been given to ``HTTP1``; the content follows it if there is to be any.
  func start(_ source: any BodySource, _ response: Response) {
    content = Content(source: source, status: response.status, fields: response.fields)
    guard http.state == .sending else { return endContent() }
    source.start { [mailbox = loop.mailbox, id] in mailbox.post(.content(id)) }
  }

  /// Sends the next piece with its chunk around it.
  func feed() {
    guard let content else { return cut() }
    guard takePiece() else {
      http.exchange.awaitsContent = true
      return loop.again(self)
    }
    let piece = loop.state.piece
    piece.removeAll()
    let progress = content.source.read(upTo: Connection.pieceSize, into: piece)
    let count = piece.count
    http.gave(content: count)
    let head = loop.state.head
    if http.isChunked {
      if count > 0 {
        head.append(utf8: String(count, radix: 16))
        head.append("\r\n")
        piece.append("\r\n")
      }
      // The end goes with the last piece.
      if case .end = progress { piece.append("0\r\n\r\n") }
    }
    if piece.count > 0 { write(head, piece.bytes) }
    head.removeAll()
    guard !isClosed else { return }
    switch progress {
    case .more: break
    case .wait: http.exchange.awaitsContent = true
    case .end:
      http.endContent()
      endContent()
    case .failed: reset()
    }
  }

  /// Nothing more is sent of it.
  func endContent() {
    guard let content else { return }
    self.content = nil
    content.source.stop()
    finishObserved(content.status, content.fields, http.exchange.sent)
  }
}
