import MartletQueryBuilder
import TestSupport

/// A row in which some values are NULL.
@Table("facts")
struct Fact: Equatable, Sendable {
  let id: Int
  var a: Int
  var b: Int?
  var s: String
  var t: String?
  var flag: Bool
}

/// An expression of the builder, and the value that it must have, computed in Swift.
struct Pair<V: QueryBindable> {
  let sql: SQLQueryExpression<V?>
  /// `nil` is NULL.
  let value: @Sendable (Fact) -> V?

  init(_ sql: some QueryExpressible, _ value: @escaping @Sendable (Fact) -> V?) {
    self.sql = SQLQueryExpression(sql.queryFragment)
    self.value = value
  }
}

/// Builds random expressions from the builder's parts.
struct RandomExpressions {
  var random: SeededRandom
  private let f = Fact.columns

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  private mutating func number() -> Int { Int.random(in: -9...9, using: &random) }
  private mutating func word() -> String {
    random.pick(["", "a", "Ab", "ba", "%", "_b", "zoo", "it's"])
  }

  // MARK: Integers

  mutating func int(_ depth: Int) -> Pair<Int> {
    guard depth > 0 else {
      switch Int.random(in: 0...2, using: &random) {
      case 0: return Pair(f.a) { $0.a }
      case 1: return Pair(f.b) { $0.b }
      default:
        let n = number()
        return Pair(#bind(n)) { _ in n }
      }
    }
    let x = int(depth - 1)
    switch Int.random(in: 0...13, using: &random) {
    case 0: return both(x, int(depth - 1), { $0 + $1 }) { $0 &+ $1 }
    case 1: return both(x, int(depth - 1), { $0 - $1 }) { $0 &- $1 }
    case 2: return both(int(0), int(0), { $0 * $1 }) { $0 &* $1 }
    // SQLite returns NULL where Swift would trap.
    case 3: return both(x, int(depth - 1), { $0 / $1 }) { $1 == 0 ? nil : $0 / $1 }
    case 4: return both(x, int(depth - 1), { $0 % $1 }) { $1 == 0 ? nil : $0 % $1 }
    case 5: return Pair(-x.sql) { x.value($0).map { -$0 } }
    case 6: return Pair(x.sql.abs()) { x.value($0).map { abs($0) } }
    case 7: return Pair(x.sql.sign()) { x.value($0).map { $0.signum() } }
    case 8:
      let y = int(depth - 1)
      return Pair(x.sql ?? y.sql) { x.value($0) ?? y.value($0) }
    case 9:
      let n = number()
      return Pair(x.sql.nullif(n)) { x.value($0) == n ? nil : x.value($0) }
    case 10:
      let (c, y) = (bool(depth - 1), int(depth - 1))
      return Pair(
        Case().when(SQLQueryExpression<Bool>(c.sql.queryFragment), then: x.sql).else(y.sql)
      ) {
        c.value($0) == true ? x.value($0) : y.value($0)
      }
    case 11:
      let n = number()
      return Pair(x.sql.map { $0 + n }) { x.value($0).map { $0 + n } }
    case 12:
      let s = string(depth - 1)
      return Pair(s.sql.length()) { s.value($0)?.unicodeScalars.count }
    default: return both(x, int(depth - 1), { $0 & $1 }) { $0 & $1 }
    }
  }

  private func both<A, B, R>(
    _ x: Pair<A>, _ y: Pair<B>,
    _ sql: (SQLQueryExpression<A?>, SQLQueryExpression<B?>) -> some QueryExpressible,
    _ value: @escaping @Sendable (A, B) -> R?
  ) -> Pair<R> {
    Pair(sql(x.sql, y.sql)) { row in
      guard let a = x.value(row), let b = y.value(row) else { return nil }
      return value(a, b)
    }
  }

  // MARK: Conditions

  mutating func bool(_ depth: Int) -> Pair<Bool> {
    guard depth > 0 else { return Pair(f.flag) { $0.flag } }
    let x = int(depth - 1)
    let p = bool(depth - 1)
    switch Int.random(in: 0...13, using: &random) {
    case 0: return both(x, int(depth - 1), { $0.eq($1) }) { $0 == $1 }
    case 1: return both(x, int(depth - 1), { $0 < $1 }) { $0 < $1 }
    case 2: return both(x, int(depth - 1), { $0 >= $1 }) { $0 >= $1 }
    // With an optional, == and != compare as in Swift and are never NULL.
    case 3:
      let y = int(depth - 1)
      return Pair(x.sql == y.sql) { x.value($0) == y.value($0) }
    case 4:
      let y = int(depth - 1)
      return Pair(x.sql != y.sql) { x.value($0) != y.value($0) }
    case 5: return Pair(x.sql.is(nil)) { x.value($0) == nil }
    case 6:
      let q = bool(depth - 1)
      return Pair(p.sql && q.sql) { row in
        switch (p.value(row), q.value(row)) {
        case (false?, _), (_, false?): false
        case (true?, true?): true
        default: nil
        }
      }
    case 7:
      let q = bool(depth - 1)
      return Pair(p.sql || q.sql) { row in
        switch (p.value(row), q.value(row)) {
        case (true?, _), (_, true?): true
        case (false?, false?): false
        default: nil
        }
      }
    case 8: return Pair(!p.sql) { p.value($0).map { !$0 } }
    case 9:
      // Not an empty list: with AND, SQLite reduces it to a constant that ORDER BY takes for a
      // column's number.
      let list = (0..<Int.random(in: 1...3, using: &random)).map { _ in number() }
      return Pair(x.sql.in(list)) { row in x.value(row).map { list.contains($0) } }
    case 10:
      let (low, high) = (number(), number())
      return Pair(x.sql.between(low, and: high)) { x.value($0).map { $0 >= low && $0 <= high } }
    case 11:
      let (s, w) = (string(depth - 1), word())
      return Pair(s.sql.contains(w)) {
        s.value($0).map { w.isEmpty || $0.lowercased().contains(w.lowercased()) }
      }
    case 12:
      let (s, w) = (string(depth - 1), word())
      return Pair(s.sql.hasPrefix(w)) {
        s.value($0).map { $0.lowercased().hasPrefix(w.lowercased()) }
      }
    default:
      let (s, r) = (string(depth - 1), string(depth - 1))
      return both(s, r, { $0 < $1 }) { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    }
  }

  // MARK: Texts

  mutating func string(_ depth: Int) -> Pair<String> {
    guard depth > 0 else {
      switch Int.random(in: 0...2, using: &random) {
      case 0: return Pair(f.s) { $0.s }
      case 1: return Pair(f.t) { $0.t }
      default:
        let w = word()
        return Pair(#bind(w)) { _ in w }
      }
    }
    let x = string(depth - 1)
    switch Int.random(in: 0...7, using: &random) {
    case 0: return both(x, string(depth - 1), { $0 + $1 }) { $0 + $1 }
    case 1: return Pair(x.sql.upper()) { x.value($0)?.uppercased() }
    case 2: return Pair(x.sql.lower()) { x.value($0)?.lowercased() }
    case 3:
      let (old, new) = (random.pick(["a", "b", "oo"]), word())
      return Pair(x.sql.replace(old, new)) { x.value($0)?.replacing(old, with: new) }
    case 4:
      let length = Int.random(in: 0...3, using: &random)
      return Pair(x.sql.substr(2, length)) {
        x.value($0).map { String($0.dropFirst().prefix(length)) }
      }
    case 5:
      let y = string(depth - 1)
      return Pair(x.sql ?? y.sql) { x.value($0) ?? y.value($0) }
    case 6:
      let n = int(depth - 1)
      return Pair(n.sql.cast(as: String.self)) { n.value($0).map { String($0) } }
    default:
      let w = word()
      return Pair(x.sql.ifnull(w)) { x.value($0) ?? w }
    }
  }

  mutating func facts(_ count: Int) -> [Fact] {
    (1...count).map { id in
      Fact(
        id: id, a: number(), b: random.once(in: 3) ? nil : number(), s: word(),
        t: random.once(in: 3) ? nil : word(), flag: random.once(in: 2))
    }
  }
}
