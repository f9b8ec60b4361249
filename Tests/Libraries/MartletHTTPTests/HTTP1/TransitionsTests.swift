import Testing

@testable import MartletHTTP

@Suite("The legal events of each state of HTTP1")
struct TransitionsTests {
  private static let legal: [(HTTP1.State, HTTP1.Event, HTTP1.State)] = [
    (.idle, .begin, .head), (.idle, .lastAnswer, .flushing), (.idle, .close, .closed),
    (.head, .admit, .admitting), (.head, .complete, .handling), (.head, .lastAnswer, .flushing),
    (.head, .close, .closed),
    (.admitting, .body, .body), (.admitting, .send, .sending),
    (.admitting, .lastAnswer, .flushing), (.admitting, .answer, .idle),
    (.admitting, .close, .closed),
    (.body, .complete, .handling), (.body, .lastAnswer, .flushing), (.body, .close, .closed),
    (.handling, .answer, .idle), (.handling, .lastAnswer, .flushing),
    (.handling, .stream, .streaming), (.handling, .close, .closed),
    (.handling, .send, .sending),
    (.sending, .answer, .idle), (.sending, .lastAnswer, .flushing), (.sending, .close, .closed),
    (.streaming, .end, .flushing), (.streaming, .close, .closed),
    (.flushing, .flushed, .lingering), (.flushing, .close, .closed),
    (.lingering, .close, .closed),
  ]

  @Test("Every pair of state and event", arguments: HTTP1.State.allCases, HTTP1.Event.allCases)
  func pair(_ state: HTTP1.State, _ event: HTTP1.Event) {
    let expected = TransitionsTests.legal.first { $0.0 == state && $0.1 == event }?.2
    #expect(HTTP1.state(after: state, event) == expected)
  }
}
