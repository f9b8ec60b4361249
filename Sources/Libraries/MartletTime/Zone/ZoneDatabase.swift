import Glibc
import Synchronization

/// The system's time zones, read from TZif files on first use and cached.
///
/// The cache is bounded and holds only existing zones, so clients cannot make it grow by asking for
/// many names.
public final class ZoneDatabase: Sendable {
  private struct Cache {
    var zones: [String: ZoneInfo] = [:]
    /// The names in insertion order. The oldest entry is evicted first.
    var order: [String] = []
    var oldest = 0
  }

  /// The database in the directory of the environment variable `TZDIR`, or in
  /// `/usr/share/zoneinfo`.
  public static let system = ZoneDatabase(
    directory: systemDirectory(getenv("TZDIR").map { String(cString: $0) }))

  static func systemDirectory(_ variable: String?) -> String {
    var folder = Substring(variable ?? "")
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    return folder.isEmpty ? "/usr/share/zoneinfo" : String(folder)
  }

  /// The directory of the TZif files.
  public let directory: String
  private let cacheLimit: Int
  private let cache = Mutex(Cache())

  /// Makes a database of the TZif files in a directory.
  /// - Parameters:
  ///   - directory: The directory, without a trailing slash.
  ///   - cacheLimit: The number of cached zones, at least one.
  public init(directory: String = "/usr/share/zoneinfo", cacheLimit: Int = 256) {
    self.directory = directory
    self.cacheLimit = max(cacheLimit, 1)
  }

  /// Whether the directory contains a zone database. Checked on every access.
  public var isAvailable: Bool {
    ["UTC", "Etc/UTC"].contains { access("\(directory)/\($0)", R_OK) == 0 }
  }

  /// The zone with that name. `UTC` and `Etc/UTC` need no files.
  public func zone(named name: String) throws(ZoneProblem) -> ZoneInfo {
    if name == ZoneInfo.utc.identifier { return .utc }
    guard ZoneInfo.isIdentifier(name), !ZoneDatabase.ofMachine.contains(name) else {
      throw .malformedName
    }
    if let known = cache.withLock({ $0.zones[name] }) { return known }
    if name == "Etc/UTC" { return ZoneInfo(identifier: name, file: ZoneFile(fixedOffset: 0)) }
    let zone = ZoneInfo(identifier: name, file: try load(name))
    cache.withLock { keep(zone, in: &$0) }
    return zone
  }

  /// The names of files that are the zone of the machine, so that they mean another one elsewhere.
  private static let ofMachine: Set = ["localtime", "posixrules"]

  private func keep(_ zone: ZoneInfo, in cache: inout Cache) {
    guard cache.zones.updateValue(zone, forKey: zone.identifier) == nil else { return }
    if cache.order.count < cacheLimit {
      cache.order.append(zone.identifier)
    } else {
      cache.zones[cache.order[cache.oldest]] = nil
      cache.order[cache.oldest] = zone.identifier
      cache.oldest = (cache.oldest + 1) % cacheLimit
    }
  }

  /// The number of cached zones.
  var cachedCount: Int { cache.withLock { $0.zones.count } }

  private func load(_ name: String) throws(ZoneProblem) -> ZoneFile {
    let bytes = try readFile(name)
    do throws(ZoneFile.Damage) {
      return try ZoneFile(bytes)
    } catch {
      throw .damaged(name: name, reason: error.reason)
    }
  }

  /// The largest allowed file, 256 KiB. A zone's file has a few kilobytes.
  private static let largestFile = 1 << 18

  private func readFile(_ name: String) throws(ZoneProblem) -> [UInt8] {
    // O_NONBLOCK: opening a FIFO must not block the caller.
    let file = open("\(directory)/\(name)", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard file >= 0 else {
      let code = errno
      guard code == ENOENT || code == ENOTDIR || code == ELOOP || code == ENAMETOOLONG else {
        throw .unreadable(name: name, errno: code)
      }
      throw isAvailable ? .unknown(name: name) : .databaseMissing(directory: directory)
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .unreadable(name: name, errno: errno) }
    // `America` is a directory, not a zone.
    guard status.st_mode & S_IFMT == S_IFREG else { throw .unknown(name: name) }
    guard status.st_size <= ZoneDatabase.largestFile else {
      throw .damaged(name: name, reason: "it has \(status.st_size) bytes")
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        read(file, $0.baseAddress! + filled, $0.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(name: name, errno: errno) }
      guard count > 0 else { break }
      filled += count
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }
}
