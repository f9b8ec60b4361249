import CMartletCurl
import MartletTime

/// One use of a handle of libcurl.
final class Transfer {
  private let handle: UnsafeMutableRawPointer
  private var list: UnsafeMutableRawPointer?
  private var firstFailure: String?

  init(_ handle: UnsafeMutableRawPointer) {
    self.handle = handle
    ccurl_reset(handle)
  }

  deinit {
    // The handle must not keep pointers to what ends here.
    ccurl_reset(handle)
    ccurl_free_list(list)
  }

  /// The most connections that a handle keeps, each to another push service.
  private static let mostKept = 2

  /// Sets everything except what lives only during the transfer. Returns why it is not possible.
  func prepare(
    _ request: CourierRequest, _ fields: [CourierRequest.Field], _ settings: CourierSettings
  ) -> String? {
    set(CCURL_URL, request.url)
    setBorders(settings)
    set(CCURL_NOSIGNAL, 1)
    set(CCURL_CONNECTTIMEOUT_MS, max(settings.connectTimeout.wholeMilliseconds, 1))
    set(CCURL_TIMEOUT_MS, max(settings.timeout.wholeMilliseconds, 1))
    // Does not wait for a name server that does not answer (libcurl 7.87; before, it waits).
    _ = ccurl_set_number(handle, Int32(CCURL_QUICK_EXIT), 1)
    set(CCURL_HTTP_VERSION, Int(CCURL_HTTP_VERSION_1_1))
    if request.push == nil {
      set(CCURL_FRESH_CONNECT, 1)
      set(CCURL_FORBID_REUSE, 1)
    } else {
      set(CCURL_MAXAGE_CONN, max(Int(settings.idleTimeout.components.seconds), 1))
      set(CCURL_MAXCONNECTS, Transfer.mostKept)
    }
    set(CCURL_USERAGENT, settings.userAgent)
    switch request.method {
    case .get: set(CCURL_HTTPGET, 1)
    case .post: set(CCURL_POST, 1)
    case .put:
      set(CCURL_POST, 1)
      set(CCURL_CUSTOMREQUEST, "PUT")
    }
    set(fields)
    return firstFailure
  }

  /// Sets the options that keep a request within the rules, whatever libcurl's defaults are.
  private func setBorders(_ settings: CourierSettings) {
    let code = ccurl_set_text(handle, Int32(CCURL_PROTOCOLS_STR), "http,https")
    if code == CCURL_UNKNOWN_OPTION {
      // Before libcurl 7.85.
      set(CCURL_PROTOCOLS, Int(CCURL_PROTOCOLS_HTTP_HTTPS))
    } else {
      check(code, CCURL_PROTOCOLS_STR)
    }
    set(CCURL_FOLLOWLOCATION, 0)
    set(CCURL_PROXY, "")
    set(CCURL_NOPROXY, "*")
    set(CCURL_NETRC, 0)
    set(CCURL_DISALLOW_USERNAME_IN_URL, 1)
    set(CCURL_HTTP09_ALLOWED, 0)
    set(CCURL_SSL_VERIFYPEER, 1)
    set(CCURL_SSL_VERIFYHOST, 2)
    set(CCURL_SSLVERSION, Int(CCURL_SSLVERSION_TLSV1_2))
    if let certificates = settings.certificates { set(CCURL_CAINFO, certificates) }
  }

  private func set(_ fields: [CourierRequest.Field]) {
    // `Expect: 100-continue` would cost a round trip, and libcurl adds a type of its own.
    var lines = ["Expect:"]
    if !fields.contains(where: { $0.name.lowercased() == "content-type" }) {
      lines.append("Content-Type:")
    }
    // libcurl removes a field without a value unless it ends with a semicolon.
    lines += fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    for line in lines {
      guard let longer = ccurl_append(list, line) else {
        firstFailure = firstFailure ?? "libcurl has no memory"
        return
      }
      list = longer
    }
    point(CCURL_HTTPHEADER, list)
  }

  /// Sends the request and receives the answer. Returns the error, in libcurl's words.
  ///
  /// - Parameter body: `nil` for a request without one.
  func perform(_ body: [UInt8]?, _ gate: Gate, _ answer: Answer) -> String? {
    let context = Unmanaged.passUnretained(answer).toOpaque()
    var gateway = CCurlGate(
      decide: { context, bytes, count, port in
        guard let context, let bytes,
          let address = IPAddress(
            bytes: Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
        else { return false }
        return Unmanaged<Gate>.fromOpaque(context).takeUnretainedValue()
          .allows(address, port: port)
      }, context: Unmanaged.passUnretained(gate).toOpaque())
    point(CCURL_WRITEDATA, context)
    point(CCURL_HEADERDATA, context)
    check(
      ccurl_set_receiver(handle, Int32(CCURL_WRITEFUNCTION)) { bytes, size, count, context in
        guard let context, let bytes else { return 0 }
        let answer = Unmanaged<Answer>.fromOpaque(context).takeUnretainedValue()
        let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return answer.takeBody(part) ? size * count : 0
      }, CCURL_WRITEFUNCTION)
    check(
      ccurl_set_receiver(handle, Int32(CCURL_HEADERFUNCTION)) { bytes, size, count, context in
        guard let context, let bytes else { return 0 }
        let answer = Unmanaged<Answer>.fromOpaque(context).takeUnretainedValue()
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return answer.takeHeader(line) ? size * count : 0
      }, CCURL_HEADERFUNCTION)
    // Without a pointer, libcurl would read the body from standard input.
    let terminated = (body ?? []) + [0]
    var text = [CChar](repeating: 0, count: Int(CCURL_ERROR_SIZE))
    return terminated.withUnsafeBufferPointer { bytes in
      text.withUnsafeMutableBufferPointer { text in
        withUnsafeMutablePointer(to: &gateway) { gateway in
          check(ccurl_set_gate(handle, gateway), CCURL_OPENSOCKETFUNCTION)
          point(CCURL_ERRORBUFFER, text.baseAddress)
          if let body {
            set(CCURL_POSTFIELDSIZE, body.count)
            point(CCURL_POSTFIELDS, bytes.baseAddress)
          }
          if let firstFailure { return firstFailure }
          let code = ccurl_perform(handle)
          guard code != CCURL_OK else { return nil }
          let own = text.baseAddress.map { String(cString: $0) } ?? ""
          return own.isEmpty ? String(cString: ccurl_error(code)) : own
        }
      }
    }
  }

  private func set(_ option: Int, _ value: Int) {
    check(ccurl_set_number(handle, Int32(option), value), option)
  }

  private func set(_ option: Int, _ value: String) {
    check(ccurl_set_text(handle, Int32(option), value), option)
  }

  private func point(_ option: Int, _ value: UnsafeRawPointer?) {
    check(ccurl_set_pointer(handle, Int32(option), value), option)
  }

  private func check(_ code: Int32, _ option: Int) {
    if code != CCURL_OK, firstFailure == nil {
      firstFailure = "this libcurl cannot do what is needed: option \(option), error \(code)"
    }
  }
}
