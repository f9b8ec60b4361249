import Glibc

/// How many descriptors this process may have (getrlimit(2)): each connection is one.
package enum DescriptorLimit {
  /// What the administrator allows: ``raise()`` goes so far.
  package static var hard: Int {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return Int(FD_SETSIZE) }
    return Int(clamping: limit.rlim_max)
  }

  /// Raises the soft limit to the hard one and returns what holds then.
  ///
  /// The soft limit is low (often 1024) for the sake of programs that use select(2), which this one
  /// does not; the hard one is what the administrator allows. It holds for the whole process, and
  /// children inherit it.
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

  /// How many of so many descriptors connections may have. The rest is for the program's files: 256,
  /// or a quarter when there are few.
  package static func connections(of descriptors: Int) -> Int {
    max(descriptors - min(256, descriptors / 4), 1)
  }

  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
