import Martlet
import MartletTesting
import Testing

@testable import service

@Suite struct ItemTests {
  @Test("A new item is an event for those who follow the list")
  func live() throws {
    let service = try TestService(makeService(path: ""))
    let items = try service.stream("/items")
    try items.wait { $0["items"]?.array?.count == 0 }
    #expect(try service.post("/items", #"{"name": "Lamp"}"#).status == 201)
    let list = try items.wait { $0["items"]?.array?.count == 1 }
    #expect(list["items"]?[0]?["name"]?.string == "Lamp")
  }

  @Test("A second item with the same name is refused")
  func unique() throws {
    let service = try TestService(makeService(path: ""))
    #expect(try service.post("/items", #"{"name": "Lamp"}"#).status == 201)
    #expect(try service.post("/items", #"{"name": "Lamp"}"#).problem == "conflict")
    #expect(try service.get("/items").value["items"]?.array?.count == 1)
  }
}
