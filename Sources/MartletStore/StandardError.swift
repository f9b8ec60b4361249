import Glibc

/// Where troubles are told that a program has no other place for.
package enum StandardError {
  /// Writes one line, in one piece: those of several threads do not mix.
  package static func print(_ sentence: String) {
    let line = sentence.utf8.map { $0 == 0x0A ? 0x20 : $0 } + [0x0A]
    // Where standard error is closed or full there is nobody to tell.
    _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }
}
