import MartletXML

/// A resource without contents of its own: the root, the principal, the home of the lists.
struct FixedResource: DAVResource {
  enum Kind { case root, principal, home }

  let kind: Kind
  let caller: Caller

  var href: String {
    switch kind {
    case .root: DAVPath.root
    case .principal: DAVPath.principal
    case .home: DAVPath.home
    }
  }

  var names: [XMLName] {
    var names = ["resourcetype", "displayname", "current-user-principal", "principal-URL"].map {
      DAVName.dav($0)
    }
    if kind == .principal { names.append(DAVName.caldav("calendar-home-set")) }
    return names
  }

  func value(_ name: XMLName) -> PropertyWriter? {
    if let shared = SharedProperties.value(name, caller) { return shared }
    switch (name.namespace, name.local) {
    case (DAVName.dav, "resourcetype"):
      return { [kind] writer in
        writer.empty(DAVName.dav("collection"))
        if kind == .principal { writer.empty(DAVName.dav("principal")) }
      }
    case (DAVName.dav, "displayname"): return { $0.text("Martlet") }
    case (DAVName.dav, "current-user-privilege-set"):
      return SharedProperties.privileges(
        mayWrite: kind == .home && caller.mayMakeLists, isList: kind == .home)
    case (DAVName.dav, "supported-report-set"):
      return SharedProperties.reports(
        [DAVName.dav("principal-property-search"), DAVName.dav("principal-search-property-set")])
    case (DAVName.caldav, "calendar-home-set") where kind == .principal:
      return { $0.href(DAVPath.home) }
    case (DAVName.caldav, "calendar-user-address-set") where kind == .principal: return { _ in }
    default: return nil
    }
  }
}
