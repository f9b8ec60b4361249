import MartletQueryBuilder
import MartletStore

extension ObservableDatabase {
  /// The changes of a query's rows as a sequence. The first element contains all rows; each further
  /// element is applied to the rows before it.
  ///
  /// ```swift
  /// var users: [User] = []
  /// for try await difference in database.differences(of: User.order(by: \.name)) {
  ///   users = users.applying(difference) ?? users
  /// }
  /// ```
  ///
  /// One element may cover several commits if the reader is slow. `inferringMoves()` turns pairs of
  /// removed and inserted rows into moves.
  public func differences<Element: Hashable & Sendable>(
    of statement: some MartletQueryBuilder.Statement<Element>
  ) -> RowDifferences<Element> { RowDifferences(rows: values(of: statement)) }
}

/// The differences between consecutive results of a query. `database.differences(of:)` returns it.
public struct RowDifferences<Element: Hashable & Sendable>: AsyncSequence {
  fileprivate let rows: AsyncThrowingStream<[Element], any Error>

  /// The iterator of ``RowDifferences``.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var rows: AsyncThrowingStream<[Element], any Error>.Iterator
    private var last: [Element] = []
    private var isFirst = true

    fileprivate init(_ rows: AsyncThrowingStream<[Element], any Error>.Iterator) {
      self.rows = rows
    }

    /// The next difference; `nil` at the end of the sequence. Throws the query's error if it fails.
    public mutating func next() async throws -> CollectionDifference<Element>? {
      while let rows = try await rows.next() {
        let difference = rows.difference(from: last)
        last = rows
        // An empty result is delivered as well if it is the first one.
        if isFirst || !difference.isEmpty {
          isFirst = false
          return difference
        }
      }
      return nil
    }
  }

  /// An iterator over the differences.
  public func makeAsyncIterator() -> Iterator { Iterator(rows.makeAsyncIterator()) }
}
