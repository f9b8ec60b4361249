/// Limits a result, called after each row that is written as JSON.
///
/// It complements the progress handler: writing one row can take longer than many virtual machine
/// instructions, and a single row can be larger than all others.
package protocol RowGuard: AnyObject {
  /// Throws if the result must end here. `bytes` is its size so far.
  func row(bytes: Int) throws
}
