// swift-tools-version: 6.2
import PackageDescription

// A user's package that depends on this one by its path: `make test-packages` builds and runs it, so that what a user
// imports keeps working. The code of App belongs to the main actor unless it says otherwise, as many programs' does;
// FirstService is a service as somebody writes their first one.
let package = Package(
  name: "scratch",
  dependencies: [.package(name: "martlet", path: "../..")],
  targets: [
    .executableTarget(
      name: "App",
      dependencies: [.product(name: "Martlet", package: "martlet")],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    .executableTarget(
      name: "FirstService", dependencies: [.product(name: "Martlet", package: "martlet")]),
  ],
  swiftLanguageModes: [.v6]
)
