// swift-tools-version: 6.1
import CompilerPluginSupport
import Foundation
import PackageDescription

/// The folder of the running toolchain that holds `SwiftSyntax.swiftmodule`.
///
/// `SWIFT_HOST_LIBRARIES` wins when it is set to a folder; `auto` has the manifest look for it. Otherwise the manifest looks at its own process: it
/// runs with the toolchain's `libPackageDescription.so` mapped, also where `swift` on PATH is only a
/// proxy. PATH comes last.
func toolchainHostLibraries() -> String? {
  let environment = ProcessInfo.processInfo.environment
  var candidates = [environment["SWIFT_HOST_LIBRARIES"]].compactMap { $0 }.filter { $0 != "auto" }
  if let maps = fopen("/proc/self/maps", "r") {
    defer { fclose(maps) }
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, 4096, maps) != nil {
      let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let end = text.range(of: "/lib/swift/pm/ManifestAPI/"),
        let start = text.firstIndex(of: "/")
      else { continue }
      candidates.append(text[start..<end.lowerBound] + "/lib/swift/host")
    }
  }
  for directory in (environment["PATH"] ?? "").split(separator: ":") {
    let swift = URL(fileURLWithPath: "\(directory)/swift").resolvingSymlinksInPath()
    let usr = swift.deletingLastPathComponent().deletingLastPathComponent()
    candidates.append(usr.path + "/lib/swift/host")
  }
  return candidates.first {
    FileManager.default.fileExists(atPath: $0 + "/SwiftSyntax.swiftmodule")
  }
}

// Unsafe flags are refused in a dependency by version, and a manifest cannot tell one by version from one by branch:
// both are loaded from `/` while SwiftPM resolves. So in a checkout, and where the toolchain has no SwiftSyntax, the macros
// are built against the swift-syntax package, unless SWIFT_HOST_LIBRARIES is set.
let isCheckout =
  Context.packageDirectory == "/" || Context.packageDirectory.contains("/checkouts/")
let isToolchainWanted = !isCheckout || Context.environment["SWIFT_HOST_LIBRARIES"] != nil
let hostLibraries = isToolchainWanted ? toolchainHostLibraries() : nil

let syntaxModules = [
  "SwiftSyntax", "SwiftSyntaxMacros", "SwiftSyntaxMacroExpansion", "SwiftSyntaxBuilder",
  "SwiftParser", "SwiftDiagnostics", "SwiftOperators", "SwiftBasicFormat",
  "SwiftCompilerPluginMessageHandling",
]
let macroCompile: [SwiftSetting] = hostLibraries.map { [.unsafeFlags(["-I", $0])] } ?? []
let macroLink: [LinkerSetting] =
  hostLibraries.map { host in
    let libraries = syntaxModules.map { "-l\($0)" }
    return [
      .unsafeFlags(["-L", host, "-Xlinker", "-rpath", "-Xlinker", host] + libraries)
    ]
  } ?? []
let syntaxPackage: [Package.Dependency] =
  hostLibraries == nil
  ? [.package(url: "https://github.com/swiftlang/swift-syntax", from: "602.0.0")] : []
let syntaxProducts: [Target.Dependency] =
  hostLibraries == nil
  ? [
    "SwiftSyntax", "SwiftSyntaxMacros", "SwiftSyntaxMacroExpansion", "SwiftSyntaxBuilder",
    "SwiftParser", "SwiftDiagnostics", "SwiftCompilerPlugin",
  ].map { .product(name: $0, package: "swift-syntax") } : []

/// `make fuzz` sets MARTLET_FUZZ: then the modules, but for the macros and what these use, tell libFuzzer where
/// they are, and AddressSanitizer what they touch. Optimized, because more inputs are worth more than nicer traces.
let isFuzzed = Context.environment["MARTLET_FUZZ"] != nil
let fuzzCompile: [SwiftSetting] =
  isFuzzed ? [.unsafeFlags(["-sanitize=fuzzer,address", "-O"])] : []

/// A module of the house. Its README is for people.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: ["README.md"],
    swiftSettings: ["Naming", "SQLTokens"].contains(name) ? [] : fuzzCompile)
}

/// The tests of a module, which mirror it. Cases and golden files are read from the source folder.
func tests(
  of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [],
  resources: [Resource]? = nil, swiftSettings: [SwiftSetting] = [],
  linkerSettings: [LinkerSetting] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies, exclude: exclude,
    resources: resources, swiftSettings: swiftSettings, linkerSettings: linkerSettings)
}

/// What `Fuzz/Targets` does with bytes from outside. A test replays the kept inputs through it. For `make
/// fuzz` it is a library that `scripts/fuzz` links with libFuzzer. Never both: a source has one target.
let fuzz: Target = {
  let dependencies: [Target.Dependency] = [
    "RemindersAPI", "LiveAPI", "Reminders", "LiveQueries", "Store", "SQLite", "QueryBuilder",
    "HTTPServer", "JSON", "Time", "TestSupport",
  ]
  let data = ["README.md", "Corpus", "Dictionaries"]
  return isFuzzed
    ? .target(
      name: "fuzz", dependencies: dependencies, path: "Fuzz", exclude: data + ["Replay"],
      swiftSettings: fuzzCompile)
    : .testTarget(
      name: "FuzzTests", dependencies: dependencies, path: "Fuzz", exclude: data + ["Driver"])
}()
let fuzzProduct: [Product] =
  isFuzzed ? [.library(name: "fuzz", type: .static, targets: ["fuzz"])] : []

let package = Package(
  name: "martlet",
  products: [
    .executable(name: "martlet", targets: ["martlet"]),
    .executable(name: "http-probe", targets: ["http-probe"]),
    .library(name: "JSON", targets: ["JSON"]),
    .library(name: "Time", targets: ["Time"]),
    .library(name: "QueryBuilder", targets: ["QueryBuilder"]),
    .library(name: "SQLite", targets: ["SQLite"]),
    .library(name: "HTTPServer", targets: ["HTTPServer"]),
    .library(name: "Store", targets: ["Store"]),
    .library(name: "LiveQueries", targets: ["LiveQueries"]),
    .library(name: "LiveAPI", targets: ["LiveAPI"]),
  ] + fuzzProduct,
  dependencies: syntaxPackage,
  targets: [
    // Floor 1
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CZlib"),
    .systemLibrary(name: "CEpoll"),
    .systemLibrary(name: "CCrypt"),
    .systemLibrary(name: "CMalloc"),
    .target(name: "CAssets"),
    module("JSON"),
    module("Time"),
    module("Naming"),
    module("SQLTokens"),
    .macro(
      name: "QueryMacros", dependencies: syntaxProducts + ["Naming", "SQLTokens"],
      exclude: ["README.md"],
      swiftSettings: macroCompile, linkerSettings: macroLink),
    module("QueryBuilder", ["QueryMacros", "Naming", "SQLTokens", "Time"]),
    // Floor 2
    module("SQLite", ["CSQLite"]),
    module("HTTPServer", ["CEpoll", "CZlib", "JSON", "Time"]),
    // Floor 3
    module("Store", ["QueryBuilder", "SQLite", "JSON", "Time"]),
    // Floor 4
    module(
      "LiveQueries", ["Store", "QueryBuilder", "SQLite", "SQLTokens", "JSON", "Time"]),
    module("Reminders", ["Store", "SQLite", "QueryBuilder", "Time", "CAssets"]),
    // Floor 5
    module(
      "LiveAPI", ["CCrypt", "HTTPServer", "Store", "SQLite", "LiveQueries", "JSON", "Time"]),
    // Floor 6
    // It never names the query builder, but holds its queries: a change of their layout must reach it.
    module(
      "RemindersAPI",
      [
        "LiveAPI", "HTTPServer", "Reminders", "LiveQueries", "Store", "SQLite", "QueryBuilder",
        "JSON", "Time",
      ]),
    // Floor 7
    .executableTarget(
      name: "martlet",
      dependencies: [
        "RemindersAPI", "LiveAPI", "Reminders", "LiveQueries", "Store", "SQLite", "HTTPServer",
        "JSON", "Time", "CAssets", "CMalloc",
      ],
      exclude: ["README.md"]),
    // Examples
    .executableTarget(
      name: "http-probe", dependencies: ["HTTPServer", "JSON"], path: "Examples/http-probe"),
    .executableTarget(
      name: "blog",
      dependencies: [
        "LiveAPI", "LiveQueries", "HTTPServer", "Store", "SQLite", "QueryBuilder", "Time",
      ],
      path: "Examples/blog"),
    // Benchmarks
    .target(name: "CBaseline", path: "Benchmarks/CBaseline"),
    .executableTarget(
      name: "query-bench", dependencies: ["CBaseline", "Store", "SQLite", "QueryBuilder", "JSON"],
      path: "Benchmarks/query-bench"),
    .executableTarget(
      name: "live-bench", dependencies: ["CEpoll"], path: "Benchmarks/live-bench"),
    // Tests
    .target(name: "TestSupport", dependencies: ["SQLite", "Store", "Time"], path: "Tests/Support"),
    tests(of: "JSON", exclude: ["Cases"]),
    tests(of: "Time", exclude: ["Cases"]),
    tests(of: "Naming"),
    tests(of: "SQLTokens", ["CSQLite"]),
    tests(
      of: "QueryMacros", exclude: ["Golden"], swiftSettings: macroCompile,
      linkerSettings: macroLink),
    tests(of: "QueryBuilder", ["SQLite", "Store", "TestSupport"]),
    tests(of: "SQLite", ["TestSupport"]),
    tests(of: "HTTPServer", ["JSON", "Time", "CZlib"], resources: [.copy("Cases")]),
    tests(of: "Store", ["SQLite", "QueryBuilder", "JSON", "Time"]),
    tests(of: "LiveQueries", ["Store", "SQLite", "QueryBuilder", "JSON", "Time", "TestSupport"]),
    tests(
      of: "Reminders",
      ["Store", "SQLite", "QueryBuilder", "JSON", "Time", "CAssets", "TestSupport"]),
    tests(
      of: "LiveAPI",
      ["HTTPServer", "Store", "SQLite", "LiveQueries", "JSON", "Time", "TestSupport"]),
    tests(
      of: "RemindersAPI",
      [
        "LiveAPI", "HTTPServer", "Reminders", "LiveQueries", "Store", "SQLite", "JSON", "Time",
        "TestSupport",
      ]),
    // The program as a process, from outside.
    .testTarget(
      name: "MartletTests",
      dependencies: [
        "martlet", "RemindersAPI", "LiveAPI", "HTTPServer", "SQLite", "Store", "JSON",
        "TestSupport",
      ]),
    fuzz,
  ],
  swiftLanguageModes: [.v6]
)
