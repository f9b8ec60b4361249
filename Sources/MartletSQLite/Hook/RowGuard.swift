/// Asked after each row that is written as JSON: a row may take longer than many steps of SQLite's virtual machine, and be
/// larger than all others.
package protocol RowGuard: AnyObject {
  /// Throws where no further row may come. `bytes`: how large the result is by now.
  func row(bytes: Int) throws
}
