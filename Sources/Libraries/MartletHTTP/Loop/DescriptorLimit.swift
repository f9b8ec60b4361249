import Glibc

/// The limit on the process's file descriptors (getrlimit(2)). Each connection needs one.
package enum DescriptorLimit {
  /// The hard limit, up to which ``raise()`` raises the soft one.
  package static var hard: Int {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return Int(FD_SETSIZE) }
    return Int(clamping: limit.rlim_max)
  }

  /// Raises the soft limit to the hard limit and returns the limit that is now in effect.
  ///
  /// The soft limit is low, often 1024, for programs that use select(2), which this one does not.
  /// The administrator sets the hard limit. The new limit applies to the whole process, and child
  /// processes inherit it.
  static func raise() -> Int {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return Int(FD_SETSIZE) }
    if limit.rlim_cur < limit.rlim_max {
      var raised = limit
      raised.rlim_cur = limit.rlim_max
      if setrlimit(resource, &raised) == 0 { limit = raised }
    }
    return Int(clamping: limit.rlim_cur)
  }

  /// The number of descriptors that connections can use. The rest is for the program's files: 256,
  /// or a quarter if there are few.
  package static func connections(of descriptors: Int) -> Int {
    max(descriptors - min(256, descriptors / 4), 1)
  }

  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
