import Glibc

/// What libFuzzer calls (https://llvm.org/docs/LibFuzzer.html). FUZZ_TARGET names the target: in the
/// environment and not among the arguments, because libFuzzer starts itself again with arguments of its
/// own.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  do {
    try body(UnsafeBufferPointer(start: start, count: count))
  } catch {
    fatalError("\(error)")
  }
  return 0
}

/// libFuzzer has one thread.
nonisolated(unsafe) private let body: FuzzTarget.Body = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget.named(name) else {
    let known = FuzzTarget.all.map(\.name).joined(separator: " ")
    fatalError("FUZZ_TARGET is one of: \(known); not '\(name)'")
  }
  do { return try target.begin() } catch { fatalError("\(name) cannot begin: \(error)") }
}()
