import MartletQueryBuilder
import MartletStore

extension ObservableDatabase {
  /// What changes in a query's rows, as a sequence that begins with all of them: each element applied to
  /// the rows before it gives the rows.
  ///
  /// ```swift
  /// var users: [User] = []
  /// for try await difference in database.differences(of: User.order(by: \.name)) {
  ///   users = users.applying(difference) ?? users
  /// }
  /// ```
  ///
  /// Between a slow reader's elements several commits may lie. `inferringMoves()` tells rows that moved from
  /// rows that came and went.
  public func differences<Element: Hashable & Sendable>(
    of statement: some MartletQueryBuilder.Statement<Element>
  ) -> RowDifferences<Element> { RowDifferences(rows: values(of: statement)) }
}

/// The differences between a query's results, one after the other.
public struct RowDifferences<Element: Hashable & Sendable>: AsyncSequence {
  fileprivate let rows: AsyncThrowingStream<[Element], any Error>

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var rows: AsyncThrowingStream<[Element], any Error>.Iterator
    private var last: [Element] = []
    private var isFirst = true

    fileprivate init(_ rows: AsyncThrowingStream<[Element], any Error>.Iterator) {
      self.rows = rows
    }

    public mutating func next() async throws -> CollectionDifference<Element>? {
      while let rows = try await rows.next() {
        let difference = rows.difference(from: last)
        last = rows
        // Also an empty table is a beginning.
        if isFirst || !difference.isEmpty {
          isFirst = false
          return difference
        }
      }
      return nil
    }
  }

  public func makeAsyncIterator() -> Iterator { Iterator(rows.makeAsyncIterator()) }
}
