// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "service",
  // In a copy of this folder set the path to your clone of Martlet, or depend on a branch:
  //   .package(url: "file:///home/me/martlet", branch: "main")
  // or on a release:
  //   .package(url: "file:///home/me/martlet", .upToNextMinor(from: "0.2.1"))
  // docs/libraries.md, "Depending on Martlet", says what each of them needs.
  dependencies: [.package(name: "martlet", path: "../..")],
  targets: [
    .executableTarget(
      name: "service", dependencies: [.product(name: "Martlet", package: "martlet")]),
    .testTarget(
      name: "ServiceTests",
      dependencies: ["service", .product(name: "MartletTesting", package: "martlet")]),
  ]
)
