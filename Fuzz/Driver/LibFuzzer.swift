import Glibc

/// The function that libFuzzer calls with each input (https://llvm.org/docs/LibFuzzer.html).
///
/// The environment variable FUZZ_TARGET names the target. It is not an argument, because libFuzzer
/// restarts itself with its own arguments.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  do {
    try body(UnsafeBufferPointer(start: start, count: count))
  } catch {
    fatalError("\(error)")
  }
  return 0
}

/// The target's function. libFuzzer calls it on a single thread.
nonisolated(unsafe) private let body: FuzzTarget.Body = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget.named(name) else {
    let known = FuzzTarget.all.map(\.name).joined(separator: " ")
    fatalError("FUZZ_TARGET is one of: \(known); not '\(name)'")
  }
  do { return try target.begin() } catch { fatalError("\(name) cannot begin: \(error)") }
}()
