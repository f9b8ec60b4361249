import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletStore
import MartletTime

/// The route `/v1/answers`: the reader of a message answers its alarm by the token in it.
enum AnswerRoute {
  static func answer(in zone: ZoneInfo) -> Route {
    .token("/v1/answers") { request, context in
      var body = try Body(request)
      let text = body.string("token", 1...100)
      let answer = body.oneOf("do", AlarmAnswer.allCases.map { ($0.rawValue, $0) })
      let minutes = body.integer("minutes", in: AlarmAnswer.allowedMinutes)
      body.require("token", text != nil)
      body.require("do", answer != nil)
      try body.finish()
      guard let answer else { throw refusal }
      let token = text.flatMap { AnswerToken($0) }
      let clock = context.clock
      return TokenRoute.Work(
        refusal: refusal,
        isValid: { db in
          try token.map { try AnswerRepository.isValid($0, at: clock.now(), in: db) } ?? false
        },
        perform: { db in
          let result = try token.flatMap {
            try AnswerRepository.answer(
              answer, by: $0, minutes: minutes ?? AlarmAnswer.usualMinutes, at: clock.now(),
              in: zone, db)
          }
          guard let result else { throw refusal }
          let buffer = ByteBuffer(capacity: 256)
          JSONWriter.object(into: buffer) { object in
            object.member("did", result.did.rawValue)
            object.member("because", result.because?.rawValue)
            object.member("until", result.until.map { RFC3339.string($0) })
            guard answer == .look else { return }
            object.member("reminder") { body in
              guard let reminder = result.reminder else { return body.append("null") }
              JSONWriter.object(into: body) { object in
                object.member("id", reminder.id)
                object.member("title", reminder.title)
                object.member("dueDate", reminder.dueDate?.description)
                object.member("timeZone", reminder.timeZone)
              }
            }
          }
          return buffer.share()
        })
    }
  }

  /// The same for every token that cannot be used, so that it reveals nothing.
  private static let refusal = APIProblem(
    .invalidAnswerToken,
    "The token is not valid: it is wrong, or older than a day, or its channel permits no answers any more.",
    errors: [FieldError(.pointer("/token"), "expected a valid token")])
}
