import MartletCourier
import MartletQueryBuilder
import MartletTime

/// The key pair by which push services know this server, in the only row of the table. It is stored
/// in clear, because messages are signed with it.
@Table("pushKey")
struct PushKey: Equatable, Sendable {
  /// Always ``rowID``.
  let id: Int
  /// The keys in Base64 for URLs.
  var privateKey: String
  var publicKey: String
  var createdAt: Instant

  /// The ID of the row.
  static let rowID = 1

  /// The keys; `nil` if another program has stored something else.
  var pair: VAPIDKey? { VAPIDKey(privateKey: privateKey, publicKey: publicKey) }
}
