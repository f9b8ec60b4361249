extension HTTP1 {
  /// Where a connection stands between two requests and inside one.
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
  enum State: Sendable, CaseIterable {
    /// Between requests: nothing of the next one is here.
    case idle
    /// A part of a head is here.
    case head
    /// The head is here; whether its body is read is being decided.
    case admitting
    /// The body is being read.
    case body
    /// A handler has the request.
    case handling
    /// The answer's head was sent, its content is being made.
    case sending
    /// The answer is an event stream that has not ended.
    case streaming
    /// The last answer is on its way.
    case flushing
    /// Nothing more is sent; what comes in is dropped for a moment.
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

  /// All legal transitions. `nil` is a mistake of the caller; the connection is then closed.
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
