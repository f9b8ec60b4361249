import Glibc
import MartletSQLite

/// Metrics of the process, read from proc(5).
///
/// They have the names of Prometheus's own client libraries
/// (https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics).
enum ProcessMetrics {
  /// The process metrics as text, and the versions of the program.
  static var text: String {
    var text = ""
    func gauge(_ name: String, _ value: Int, _ help: String, labels: String = "") {
      Metrics.begin(name, help, "gauge", in: &text)
      text += "\(name)\(labels) \(value)\n"
    }
    gauge(
      "martlet_build_info", 1, "The versions of the program and of its parts; always 1.",
      labels:
        "{version=\"\(Program.version)\",commit=\"\(Program.commit)\",sqlite=\"\(Version.library)\",swift=\"\(Program.swift)\"}"
    )
    if let (virtual, resident) = memory {
      gauge("process_virtual_memory_bytes", virtual, "Size of the virtual address space.")
      gauge("process_resident_memory_bytes", resident, "Memory of the process in RAM.")
    }
    if let count = openFiles { gauge("process_open_fds", count, "Open file descriptors.") }
    var used = timespec()
    if clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0 {
      let name = "process_cpu_seconds_total"
      Metrics.begin(name, "CPU time of the process, user and system.", "counter", in: &text)
      text += "\(name) \(Double(used.tv_sec) + Double(used.tv_nsec) / 1e9)\n"
    }
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
      gauge(
        "process_max_fds", Int(clamping: limit.rlim_cur), "Maximum number of open file descriptors."
      )
    }
    gauge(
      "process_start_time_seconds", startTime, "Start time of the process, in seconds since 1970.")
    return text
  }

  /// The virtual and resident size of the process in bytes; `nil` if `/proc` cannot be read.
  static var memory: (virtual: Int, resident: Int)? {
    let numbers = firstLine(of: "/proc/self/statm").split(separator: " ").compactMap { Int($0) }
    guard numbers.count > 1 else { return nil }
    let page = sysconf(Int32(_SC_PAGESIZE))
    return (numbers[0] * page, numbers[1] * page)
  }

  /// The start of the process in seconds since 1970, from its start since boot and the time of
  /// boot.
  private static let startTime: Int = {
    // The fields after the name, which may contain blanks: `S 1 …`. The 20th of them is the start
    // in clock ticks.
    let line = firstLine(of: "/proc/self/stat")
    let fields = line[(line.lastIndex(of: ")") ?? line.startIndex)...].split(separator: " ")
    let ticks = fields.count > 20 ? Int(fields[20]) ?? 0 : 0
    var now = timespec()
    var sinceBoot = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    clock_gettime(CLOCK_BOOTTIME, &sinceBoot)
    return now.tv_sec - sinceBoot.tv_sec + ticks / max(sysconf(Int32(_SC_CLK_TCK)), 1)
  }()

  private static var openFiles: Int? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // Not counting `.`, `..` and the descriptor of the folder itself.
    return count - 3
  }

  private static func firstLine(of path: String) -> Substring {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self).prefix { $0 != "\n" }
  }
}
