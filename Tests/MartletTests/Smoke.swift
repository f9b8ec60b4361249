import Testing
import TestSupport
import Foundation
@Test func smoke() throws {
  let m = try MartletProcess()
  let r = try RawClient(port: m.port).get("/v1/lists")
  print(r.text, MartletProcess.executable, try m.memory, try m.metric("martlet_connections"))
  let s = StreamClient(port: m.port)
  try s.open("/v1/lists")
  print(s.event(after: 0) as Any)
  print(try m.stop())
  print(s.event(after: 1) as Any)
  print(try MartletProcess.run(["frob"]))
}
