/// A generator of realistic words, reproducible by its seed (SplitMix64).
struct Words {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A number from 0 to `bound - 1`.
  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }

  /// True with a probability of 1 in `bound`.
  mutating func chance(_ bound: Int) -> Bool { below(bound) == 0 }

  mutating func title() -> String {
    "\(pick(Words.verbs)) the \(pick(Words.adjectives)) \(pick(Words.nouns))"
  }

  mutating func sentence() -> String {
    let first = "\(pick(Words.nouns)) \(pick(Words.places)), \(pick(Words.adjectives))"
    return "\(first). \(pick(Words.verbs)) it with \(pick(Words.people))."
  }

  mutating func tag() -> String { pick(Words.tags) }

  private mutating func pick(_ words: [String]) -> String { words[below(words.count)] }

  private static let verbs = [
    "Buy", "Call", "Fix", "Return", "Clean", "Paint", "Order", "Book", "Check", "Write", "Send",
    "Plan", "Collect", "Repair", "Sort", "Water", "Cook", "Measure", "Print", "Wash", "Pack",
    "Sign",
  ]
  private static let adjectives = [
    "red", "old", "broken", "new", "small", "heavy", "quiet", "late", "first", "yearly", "wooden",
    "green", "cold", "open", "borrowed", "spare", "narrow", "bright", "lost", "long",
  ]
  private static let nouns = [
    "bicycle", "invoice", "garden", "window", "passport", "ticket", "kitchen", "lamp", "letter",
    "contract", "tyre", "cake", "ladder", "blanket", "router", "umbrella", "mirror", "fence",
    "drawer", "camera", "suitcase", "printer", "shelf", "kettle", "calendar", "boat", "stove",
  ]
  private static let places = [
    "in the cellar", "at the station", "behind the house", "on the second floor", "by the river",
    "at work", "in the car", "next to the market", "under the stairs", "in town",
  ]
  private static let people = [
    "the neighbour", "the landlord", "grandmother", "the team", "the plumber", "the children",
    "a friend", "the doctor", "the bank", "the school",
  ]
  private static let tags = [
    "shopping", "errand", "car", "garden", "papers", "holiday", "health", "home", "work", "someday",
  ]
}
