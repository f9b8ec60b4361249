import CMartletCurl

/// libcurl and libcrypto, loaded into this process.
enum Libraries {
  /// Why they cannot be used. The text names the Debian package.
  struct Missing: Error {
    let description: String
  }

  /// Loads both. The first call must be made before other threads start, because libcurl's
  /// initialization requires it (https://curl.se/libcurl/c/curl_global_init.html).
  static func load(curl: String, crypto: String) throws(Missing) {
    if let reason = ccurl_load(curl, crypto) { throw Missing(description: String(cString: reason)) }
  }

  /// HMAC-SHA256; `nil` if libcrypto fails.
  static func hmac(key: [UInt8], data: [UInt8]) -> [UInt8]? {
    var code = [UInt8](repeating: 0, count: 32)
    return ccrypto_hmac_sha256(key, key.count, data, data.count, &code) ? code : nil
  }
}
