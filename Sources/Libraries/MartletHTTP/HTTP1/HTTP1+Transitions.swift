extension HTTP1 {
  /// The state of a connection, between requests and within one.
  ///
  ///     idle ──begin──▶ head ──admit──▶ admitting ──body──▶ body
  ///      ▲               │ complete                          │ complete
  ///      │               ▼                                   │
  ///      ├────answer── handling ◀────────────────────────────┘
  ///      │             │ │  │
  ///      ├─answer──────┼─┼──┼─ sending ◀─send─ (handling, admitting)
  ///      └─answer── (admitting: a short body is skipped)
  ///              stream│ │lastAnswer │lastAnswer
  ///                    ▼ ▼  ▼        ▼
  ///     streaming ─end─▶ flushing ──flushed──▶ lingering ──▶ closed
  ///
  /// Not shown: `lastAnswer` also leads from `idle`, `head`, `admitting` and `body` to `flushing`,
  /// and `close` leads from every state to `closed`.
  enum State: Sendable, CaseIterable {
    /// Between requests. Nothing of the next one has arrived.
    case idle
    /// A part of a head has arrived.
    case head
    /// The head is complete, and the route decides whether to read the body.
    case admitting
    /// The body is being read.
    case body
    /// A handler has the request.
    case handling
    /// The head of the response is sent, and its content is being produced.
    case sending
    /// The response is an event stream that has not ended.
    case streaming
    /// The last response is being sent.
    case flushing
    /// Nothing more is sent, and input is dropped for a moment.
    case lingering
    case closed
  }

  enum Event: Sendable, CaseIterable {
    case begin
    case admit
    case body
    case complete
    case answer
    case lastAnswer
    case send
    case stream
    case end
    case flushed
    case close
  }

  /// The legal transitions. `nil` means a programming error of the caller. The connection is then
  /// closed.
  static func state(after state: State, _ event: Event) -> State? {
    switch (state, event) {
    case (.idle, .begin): .head
    case (.head, .admit): .admitting
    case (.admitting, .body): .body
    case (.head, .complete), (.body, .complete): .handling
    case (.handling, .send), (.admitting, .send): .sending
    case (.admitting, .answer), (.handling, .answer), (.sending, .answer): .idle
    case (.idle, .lastAnswer), (.head, .lastAnswer), (.admitting, .lastAnswer),
      (.body, .lastAnswer),
      (.handling, .lastAnswer), (.sending, .lastAnswer):
      .flushing
    case (.handling, .stream): .streaming
    case (.streaming, .end): .flushing
    case (.flushing, .flushed): .lingering
    case (.idle, .close), (.head, .close), (.admitting, .close), (.body, .close),
      (.handling, .close),
      (.sending, .close), (.streaming, .close), (.flushing, .close), (.lingering, .close):
      .closed
    default: nil
    }
  }
}
