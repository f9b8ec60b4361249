import Glibc

/// Writes problems to standard error, for programs that set no other handler.
package enum StandardError {
  /// Writes one line with a single `write(2)`, so that lines of several threads do not interleave.
  /// Line breaks become spaces.
  package static func print(_ sentence: String) {
    let line = sentence.utf8.map { $0 == 0x0A ? 0x20 : $0 } + [0x0A]
    // If standard error is closed or full, the message is lost.
    _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }
}
