import CMalloc

/// How the process gets its memory, and gives it back (mallopt(3)).
enum Memory {
  /// From this size on, an allocation is a mapping of its own, which goes back to the system when it is freed.
  ///
  /// glibc starts with 128 KiB and raises that up to 32 MiB whenever a larger mapping is freed: a burst of bodies of
  /// 4 MiB then lies in arenas, of which little is ever given back. A value that was set stays.
  private static let mappedFrom: Int32 = 256 << 10

  /// To be called before there are threads.
  static func prepare() { _ = mallopt(M_MMAP_THRESHOLD, mappedFrom) }
}
