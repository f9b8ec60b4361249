// For `stdout`, a global variable of C that nothing assigns.
@preconcurrency import Glibc

enum StandardOutput {
  /// Writes each printed line at once, to a pipe or a file too. By default only a terminal gets
  /// lines.
  static func bufferLines() { setvbuf(stdout, nil, _IOLBF, 0) }
}
