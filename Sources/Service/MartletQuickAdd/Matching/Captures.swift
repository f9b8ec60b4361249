import MartletTime

/// The parts of the text that the slots of a pattern have taken.
struct Captures {
  var numbers: [Int] = []
  var ordinals: [Int] = []
  var weekdays: [Int] = []
  var month: Int?
  var unit: TimeUnit?
  var part: DayPart?
  var time: TimeOfDay?
  var date: CivilDate?
  var every: Every?
  var isCompletion = false
}
