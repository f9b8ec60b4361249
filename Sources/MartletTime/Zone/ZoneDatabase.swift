import Glibc
import Synchronization

/// The system's time zones, read from TZif files when first asked for and then kept.
///
/// The cache is bounded and holds only zones that exist, so that a client who asks for many names
/// makes no memory grow.
public final class ZoneDatabase: Sendable {
  private struct Cache {
    var zones: [String: ZoneInfo] = [:]
    /// Names in the order in which they came; the oldest leaves first.
    var order: [String] = []
    var oldest = 0
  }

  /// The folder that the variable `TZDIR` names, or `/usr/share/zoneinfo`.
  public static let system = ZoneDatabase(
    directory: systemDirectory(getenv("TZDIR").map { String(cString: $0) }))

  static func systemDirectory(_ variable: String?) -> String {
    var folder = Substring(variable ?? "")
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    return folder.isEmpty ? "/usr/share/zoneinfo" : String(folder)
  }

  public let directory: String
  private let cacheLimit: Int
  private let cache = Mutex(Cache())

  /// - Parameters:
  ///   - directory: Where the TZif files are, without a slash at the end.
  ///   - cacheLimit: How many zones are kept, at least one.
  public init(directory: String = "/usr/share/zoneinfo", cacheLimit: Int = 256) {
    self.directory = directory
    self.cacheLimit = max(cacheLimit, 1)
  }

  /// Whether the directory has a zone database in it. Looks each time.
  public var isAvailable: Bool {
    ["UTC", "Etc/UTC"].contains { access("\(directory)/\($0)", R_OK) == 0 }
  }

  /// The zone of that name. `UTC` and `Etc/UTC` need no files.
  public func zone(named name: String) throws(ZoneProblem) -> ZoneInfo {
    if name == ZoneInfo.utc.identifier { return .utc }
    guard ZoneInfo.isIdentifier(name) else { throw .malformedName }
    if let known = cache.withLock({ $0.zones[name] }) { return known }
    if name == "Etc/UTC" { return ZoneInfo(identifier: name, file: ZoneFile(fixedOffset: 0)) }
    let zone = ZoneInfo(identifier: name, file: try load(name))
    cache.withLock { keep(zone, in: &$0) }
    return zone
  }

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

  /// The number of zones in the cache.
  var cachedCount: Int { cache.withLock { $0.zones.count } }

  private func load(_ name: String) throws(ZoneProblem) -> ZoneFile {
    let bytes = try readFile(name)
    do throws(ZoneFile.Damage) {
      return try ZoneFile(bytes)
    } catch {
      throw .damaged(name: name, reason: error.reason)
    }
  }

  /// A zone's file is some kilobytes; the largest one allowed has 256 KiB.
  private static let largestFile = 1 << 18

  private func readFile(_ name: String) throws(ZoneProblem) -> [UInt8] {
    // O_NONBLOCK: a FIFO in that place must not hang whoever asks.
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
    // `America` is a folder, not a zone.
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
