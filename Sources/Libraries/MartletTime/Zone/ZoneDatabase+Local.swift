import Glibc

extension ZoneDatabase {
  /// The zone of this machine: the one that the variable `TZ` names, or else the one that
  /// `/etc/localtime` links to. `nil` if that is no zone of this database, such as a rule of POSIX.
  ///
  /// - Parameters:
  ///   - variable: The value of `TZ` (https://man7.org/linux/man-pages/man3/tzset.3.html). An empty
  ///     one means UTC.
  ///   - link: The path of the link.
  public func local(
    variable: String? = getenv("TZ").map { String(cString: $0) }, link: String = "/etc/localtime"
  ) -> ZoneInfo? {
    if let variable {
      let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
      return name.isEmpty ? .utc : try? zone(named: nameOfFile(name) ?? name)
    }
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = target.withUnsafeMutableBytes { readlink(link, $0.baseAddress!, $0.count) }
    guard length > 0 else { return nil }
    return nameOfFile(String(decoding: target[..<length], as: UTF8.self))
      .flatMap { try? zone(named: $0) }
  }

  /// The name of the zone in a file: `Europe/Vienna` of `/usr/share/zoneinfo/Europe/Vienna`, and of
  /// its variant with leap seconds in `right`.
  private func nameOfFile(_ path: String) -> String? {
    let folders = path.split(separator: "/", omittingEmptySubsequences: true)
    guard path.contains("/"), let root = folders.lastIndex(of: "zoneinfo") else { return nil }
    var name = folders[(root + 1)...]
    if name.first == "posix" || name.first == "right" { name.removeFirst() }
    return name.joined(separator: "/")
  }
}

extension ZoneDatabase {
  /// The version of the files, such as `2026b`; empty if they do not say it.
  public var version: String {
    guard let file = fopen("\(directory)/tzdata.zi", "re") else { return "" }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 100)
    let count = line.withUnsafeMutableBytes { fread($0.baseAddress!, 1, $0.count, file) }
    let first = String(decoding: line[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
    let mark = "# version "
    return first.hasPrefix(mark) ? String(first.dropFirst(mark.count)) : ""
  }
}
