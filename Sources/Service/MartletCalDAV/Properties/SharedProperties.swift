import MartletTime
import MartletXML

/// The properties that several resources have.
enum SharedProperties {
  static func value(_ name: XMLName, _ caller: Caller) -> PropertyWriter? {
    guard name.namespace == DAVName.dav else { return nil }
    switch name.local {
    case "current-user-principal", "principal-URL", "owner":
      return { $0.href(DAVPath.principal) }
    case "principal-collection-set": return { $0.href(DAVPath.principal) }
    case "supportedlock", "lockdiscovery": return { _ in }
    default: return nil
    }
  }

  /// The privileges of the caller (RFC 3744 section 5.4). Clients that do not find it only read.
  static func privileges(mayWrite: Bool, isList: Bool) -> PropertyWriter {
    { writer in
      var names = ["read", "read-current-user-privilege-set"]
      if mayWrite { names += ["write", "write-content", "write-properties"] }
      if mayWrite, isList { names += ["bind", "unbind"] }
      for name in names {
        writer.element(DAVName.dav("privilege")) { $0.empty(DAVName.dav(name)) }
      }
    }
  }

  static func reports(_ names: [XMLName]) -> PropertyWriter {
    { writer in
      for name in names {
        writer.element(DAVName.dav("supported-report")) { writer in
          writer.element(DAVName.dav("report")) { $0.empty(name) }
        }
      }
    }
  }

  static func modified(_ instant: Instant?) -> PropertyWriter? {
    instant.map { time in { $0.text(HTTPDate.string(time)) } }
  }

  static func created(_ instant: Instant?) -> PropertyWriter? {
    instant.map { time in { $0.text(RFC3339.string(time)) } }
  }
}
