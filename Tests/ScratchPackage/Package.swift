// swift-tools-version: 6.2
import PackageDescription

// A user's package that depends on this one by its path: `make test` builds and runs it, so that what a user
// imports keeps working. All of its code belongs to the main actor unless it says otherwise, as many programs'.
let package = Package(
  name: "scratch",
  dependencies: [.package(name: "martlet", path: "../..")],
  targets: [
    .executableTarget(
      name: "App",
      dependencies: [.product(name: "Martlet", package: "martlet")],
      swiftSettings: [.defaultIsolation(MainActor.self)])
  ],
  swiftLanguageModes: [.v6]
)
