import MartletLiveAPI

extension APIProblem {
  /// The problem for a reminder with more than five tags.
  static var tooManyTags: APIProblem {
    APIProblem(.tooManyTags, "A reminder can have at most five tags.")
  }

  /// The problem for an alarm that is counted from a date which the reminder does not have.
  ///
  /// - Parameter pointer: The place of the alarm in the body.
  static func alarmWithoutAnchor(_ pointer: String) -> APIProblem {
    APIProblem(
      .alarmWithoutAnchor,
      "An alarm is counted from the due date or the start date, which the reminder does not have.",
      errors: [FieldError(.pointer(pointer), "needs the date that from names")])
  }
}
