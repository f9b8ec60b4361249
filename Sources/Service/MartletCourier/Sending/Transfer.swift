import CMartletCurl
import MartletTime

/// One use of a handle of libcurl.
final class Transfer {
  private let handle: UnsafeMutableRawPointer
  private var lists: [UnsafeMutableRawPointer] = []
  private var firstFailure: String?

  init(_ handle: UnsafeMutableRawPointer) {
    self.handle = handle
    ccurl_reset(handle)
  }

  deinit {
    // The handle must not keep pointers to what ends here.
    ccurl_reset(handle)
    for list in lists { ccurl_free_list(list) }
  }

  /// The sent bytes.
  enum Content {
    case none
    /// The body of a request.
    case body([UInt8])
    /// The header fields and the body of a mail.
    case mail([UInt8])
  }

  /// Why a transfer has failed.
  struct Failure {
    /// The code of libcurl.
    let code: Int32
    /// Its words.
    let text: String
  }

  /// The last status of HTTP or code of SMTP; `nil` if there was none.
  var status: Int? {
    let status = ccurl_status(handle)
    return status > 0 ? status : nil
  }

  /// The most connections that a handle keeps, each to another push service.
  private static let mostKept = 2

  /// Sets everything except what lives only during the transfer. Returns why it is not possible.
  func prepare(
    _ request: CourierRequest, _ destination: Destination, _ fields: [CourierRequest.Field],
    _ settings: CourierSettings
  ) -> String? {
    setBorders(settings, destination.scheme)
    set(CCURL_NOSIGNAL, 1)
    set(CCURL_CONNECTTIMEOUT_MS, max(settings.connectTimeout.wholeMilliseconds, 1))
    let limit = request.mail == nil ? settings.timeout : settings.mailTimeout
    set(CCURL_TIMEOUT_MS, max(limit.wholeMilliseconds, 1))
    // Does not wait for a name server that does not answer (libcurl 7.87; before, it waits).
    _ = ccurl_set_number(handle, Int32(CCURL_QUICK_EXIT), 1)
    if let mail = request.mail {
      prepare(mail, destination, settings)
    } else {
      prepare(request, fields, settings)
    }
    return firstFailure
  }

  private func prepare(
    _ request: CourierRequest, _ fields: [CourierRequest.Field], _ settings: CourierSettings
  ) {
    set(CCURL_URL, request.url)
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
  }

  private func prepare(
    _ mail: MailEnvelope, _ destination: Destination, _ settings: CourierSettings
  ) {
    // The path is the name in EHLO; by default, libcurl tells that of this machine.
    let (scheme, host) = (destination.scheme.rawValue, destination.hostText)
    let name = MailEnvelope.domain(of: mail.sender)
    set(CCURL_URL, "\(scheme)://\(host):\(destination.port)/\(name)")
    set(CCURL_FRESH_CONNECT, 1)
    set(CCURL_FORBID_REUSE, 1)
    // QUIT is not within the limit of the transfer: libcurl would wait two minutes for its reply.
    set(
      CCURL_SERVER_RESPONSE_TIMEOUT,
      max(Int(settings.mailTimeout.wholeMilliseconds + 999) / 1_000, 1))
    set(CCURL_USE_SSL, mail.security == .starttls ? Int(CCURL_USESSL_ALL) : 0)
    set(CCURL_MAIL_FROM, mail.sender)
    setList(CCURL_MAIL_RCPT, [mail.recipient])
    if let user = mail.user, let password = mail.password {
      set(CCURL_USERNAME, user)
      set(CCURL_PASSWORD, password)
    }
    set(CCURL_UPLOAD, 1)
  }

  /// Sets the options that keep a request within the rules, whatever libcurl's defaults are.
  private func setBorders(_ settings: CourierSettings, _ scheme: Destination.Scheme) {
    let code = ccurl_set_text(handle, Int32(CCURL_PROTOCOLS_STR), scheme.rawValue)
    if code == CCURL_UNKNOWN_OPTION {
      // Before libcurl 7.85.
      let protocols =
        switch scheme {
        case .http: CCURL_PROTOCOLS_HTTP
        case .https: CCURL_PROTOCOLS_HTTPS
        case .smtp: CCURL_PROTOCOLS_SMTP
        case .smtps: CCURL_PROTOCOLS_SMTPS
        }
      set(CCURL_PROTOCOLS, Int(protocols))
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
    setList(CCURL_HTTPHEADER, lines)
  }

  private func setList(_ option: Int, _ lines: [String]) {
    var list: UnsafeMutableRawPointer?
    for line in lines {
      guard let longer = ccurl_append(list, line) else {
        firstFailure = firstFailure ?? "libcurl has no memory"
        break
      }
      list = longer
    }
    if let list { lists.append(list) }
    point(option, list)
  }

  /// The text of a mail, as libcurl reads it.
  private final class Upload {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      let part = rest.prefix(buffer.count)
      buffer.copyBytes(from: part)
      rest = rest.dropFirst(part.count)
      return part.count
    }
  }

  /// Sends the content and receives the answer.
  func perform(_ content: Content, _ gate: Gate, _ answer: Answer) -> Failure? {
    var body: [UInt8]?
    var upload: Upload?
    switch content {
    case .none: break
    case .body(let bytes): body = bytes
    case .mail(let text):
      upload = Upload(text)
      set(CCURL_INFILESIZE, text.count)
    }
    return withExtendedLifetime(upload) { perform(body, upload, gate, answer) }
  }

  private func perform(
    _ body: [UInt8]?, _ upload: Upload?, _ gate: Gate, _ answer: Answer
  ) -> Failure? {
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
    if let upload {
      point(CCURL_READDATA, Unmanaged.passUnretained(upload).toOpaque())
      check(
        ccurl_set_receiver(handle, Int32(CCURL_READFUNCTION)) { bytes, size, count, context in
          guard let context, let bytes else { return 0 }
          let upload = Unmanaged<Upload>.fromOpaque(context).takeUnretainedValue()
          return upload.read(
            into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        }, CCURL_READFUNCTION)
    }
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
          if let firstFailure {
            return Failure(code: Int32(CCURL_UNKNOWN_OPTION), text: firstFailure)
          }
          let code = ccurl_perform(handle)
          guard code != CCURL_OK else { return nil }
          let own = text.baseAddress.map { String(cString: $0) } ?? ""
          return Failure(code: code, text: own.isEmpty ? String(cString: ccurl_error(code)) : own)
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
