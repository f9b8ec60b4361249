import MartletJSON

extension Connection {
  /// The source of content that is produced while it is sent, and the response it belongs to.
  struct Content {
    let source: any BodySource
    let status: Status
    let fields: Fields
  }

  /// The largest size of a piece: four hexadecimal digits.
  private static let pieceSize = 0xFFFF

  /// Starts sending content after ``HTTP1`` has encoded the head, unless the response has no
  /// content.
  func start(_ source: any BodySource, _ response: Response) {
    content = Content(source: source, status: response.status, fields: response.fields)
    guard http.state == .sending else { return endContent() }
    source.start { [mailbox = loop.mailbox, id] in mailbox.post(.content(id)) }
  }

  /// Sends the next piece of the content, as a chunk unless the client speaks HTTP/1.0.
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
      // The last chunk goes with the last piece.
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

  /// Stops the source.
  func endContent() {
    guard let content else { return }
    self.content = nil
    content.source.stop()
    finishObserved(content.status, content.fields, http.exchange.sent)
  }
}
