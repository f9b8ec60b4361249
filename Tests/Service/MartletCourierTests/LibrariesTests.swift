import CMartletCurl
import TestSupport
import Testing

@testable import MartletCourier

@Suite struct LibrariesTests {
  init() throws { try Libraries.load(curl: "libcurl.so.4", crypto: "libcrypto.so.3") }

  @Test("The numbers of the options are those of the library's own table")
  func options() {
    let options: [(String, Int)] = [
      ("WRITEDATA", CCURL_WRITEDATA), ("URL", CCURL_URL), ("PROXY", CCURL_PROXY),
      ("ERRORBUFFER", CCURL_ERRORBUFFER), ("POSTFIELDS", CCURL_POSTFIELDS),
      ("USERAGENT", CCURL_USERAGENT), ("HTTPHEADER", CCURL_HTTPHEADER),
      ("HEADERDATA", CCURL_HEADERDATA), ("CUSTOMREQUEST", CCURL_CUSTOMREQUEST),
      ("CAINFO", CCURL_CAINFO), ("OPENSOCKETDATA", CCURL_OPENSOCKETDATA),
      ("NOPROXY", CCURL_NOPROXY), ("PROTOCOLS_STR", CCURL_PROTOCOLS_STR),
      ("WRITEFUNCTION", CCURL_WRITEFUNCTION), ("HEADERFUNCTION", CCURL_HEADERFUNCTION),
      ("OPENSOCKETFUNCTION", CCURL_OPENSOCKETFUNCTION), ("SSLVERSION", CCURL_SSLVERSION),
      ("POST", CCURL_POST), ("NETRC", CCURL_NETRC), ("FOLLOWLOCATION", CCURL_FOLLOWLOCATION),
      ("POSTFIELDSIZE", CCURL_POSTFIELDSIZE), ("SSL_VERIFYPEER", CCURL_SSL_VERIFYPEER),
      ("MAXCONNECTS", CCURL_MAXCONNECTS), ("FRESH_CONNECT", CCURL_FRESH_CONNECT),
      ("MAXAGE_CONN", CCURL_MAXAGE_CONN), ("FORBID_REUSE", CCURL_FORBID_REUSE),
      ("HTTPGET", CCURL_HTTPGET), ("SSL_VERIFYHOST", CCURL_SSL_VERIFYHOST),
      ("HTTP_VERSION", CCURL_HTTP_VERSION), ("NOSIGNAL", CCURL_NOSIGNAL),
      ("TIMEOUT_MS", CCURL_TIMEOUT_MS), ("CONNECTTIMEOUT_MS", CCURL_CONNECTTIMEOUT_MS),
      ("PROTOCOLS", CCURL_PROTOCOLS),
      ("DISALLOW_USERNAME_IN_URL", CCURL_DISALLOW_USERNAME_IN_URL),
      ("HTTP09_ALLOWED", CCURL_HTTP09_ALLOWED), ("QUICK_EXIT", CCURL_QUICK_EXIT),
    ]
    for (name, number) in options {
      let known = ccurl_option(name)
      // Old libraries lack the newest ones.
      #expect(known == number || known == -1, "\(name)")
    }
  }
}
