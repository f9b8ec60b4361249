import Glibc

/// A progress indicator on standard error, shown only if that is a terminal.
final class ProgressLine {
  private let what: String
  private let isShown = isatty(STDERR_FILENO) == 1
  private var percent = -1

  init(_ what: String) { self.what = what }

  /// Shows the progress.
  ///
  /// - Parameter share: The finished part, from 0 to 1.
  func show(_ share: Double) {
    let percent = Int(share * 100)
    guard isShown, percent != self.percent else { return }
    self.percent = percent
    print("\r\(what) \(percent) %")
  }

  /// Erases the line.
  func end() {
    if percent >= 0 { print("\r\u{1B}[K") }
  }

  private func print(_ text: String) {
    var text = text
    text.withUTF8 { _ = Output.write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
  }
}
