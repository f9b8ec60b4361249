import CMartletCurl

/// A key of P-256 in libcrypto.
final class CurveKey {
  private let handle: UnsafeMutableRawPointer

  /// The order of the curve's base point (FIPS 186-5, NIST SP 800-186 section 3.2.1.3). A private
  /// key is a number from 1 to the one below it, which libcrypto does not check.
  private static let order: [UInt8] = [
    0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
  ]

  private init?(_ handle: UnsafeMutableRawPointer?) {
    guard let handle else { return nil }
    self.handle = handle
  }

  deinit { ccrypto_free_key(handle) }

  /// A new key pair; `nil` if libcrypto fails.
  static func random() -> CurveKey? { CurveKey(ccrypto_new_key()) }

  /// The key pair of a private key of 32 bytes; `nil` if it is invalid.
  convenience init?(privateKey: [UInt8]) {
    guard privateKey.count == Int(CCRYPTO_SECRET), privateKey.contains(where: { $0 != 0 }),
      privateKey.lexicographicallyPrecedes(CurveKey.order)
    else { return nil }
    self.init(ccrypto_private_key(privateKey))
  }

  /// A public key of 65 bytes, uncompressed; `nil` if it is no point of the curve.
  convenience init?(publicKey: [UInt8]) {
    guard VAPIDKey.isPoint(publicKey) else { return nil }
    self.init(ccrypto_public_key(publicKey))
  }

  /// The public key, 65 bytes; `nil` if libcrypto fails.
  var publicKey: [UInt8]? {
    bytes(Int(CCRYPTO_POINT)) { ccrypto_point(handle, $0) }
  }

  /// The private key of a new pair, 32 bytes; `nil` for keys that were read.
  var privateKey: [UInt8]? {
    bytes(Int(CCRYPTO_SECRET)) { ccrypto_secret(handle, $0) }
  }

  /// The secret that both sides of ECDH can compute; `nil` if libcrypto fails.
  func agreement(with peer: CurveKey) -> [UInt8]? {
    bytes(Int(CCRYPTO_SECRET)) { ccrypto_agree(handle, peer.handle, $0) }
  }

  /// The signature ES256 of RFC 7518; `nil` if libcrypto fails.
  func signature(of data: [UInt8]) -> [UInt8]? {
    bytes(Int(CCRYPTO_SIGNATURE)) { ccrypto_sign(handle, data, data.count, $0) }
  }

  private func bytes(_ count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Bool) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
      written = buffer.baseAddress.map(write) == true ? count : 0
    }
    return bytes.isEmpty ? nil : bytes
  }
}

extension VAPIDKey {
  /// A new key pair; `nil` if libcrypto fails.
  static func random() -> VAPIDKey? {
    guard let key = CurveKey.random(), let privateBytes = key.privateKey,
      let publicBytes = key.publicKey
    else { return nil }
    return VAPIDKey(privateBytes: privateBytes, publicBytes: publicBytes)
  }
}

extension Libraries {
  /// The text encrypted with AES-128-GCM, and its tag; `nil` if libcrypto fails.
  static func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8]? {
    precondition(key.count == Int(CCRYPTO_KEY) && nonce.count == Int(CCRYPTO_NONCE))
    let count = text.count + Int(CCRYPTO_TAG)
    let sealed = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
      let isSealed = ccrypto_seal(key, nonce, text, text.count, buffer.baseAddress)
      written = isSealed ? count : 0
    }
    return sealed.isEmpty ? nil : sealed
  }
}
