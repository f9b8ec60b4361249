// swift-tools-version: 6.2
import PackageDescription

// A package that depends on this one by path, as a user's would. `make test-packages` builds and
// runs it to check that the public imports keep working. App uses main actor isolation by default,
// as many programs do. FirstService is what a first service typically looks like.
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
