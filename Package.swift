// swift-tools-version: 6.1
import CompilerPluginSupport
import Foundation
import PackageDescription

/// The folder of the running toolchain that holds `SwiftSyntax.swiftmodule`.
///
/// `SWIFT_HOST_LIBRARIES` has precedence if it is set to a folder; `auto` means to search for it.
/// The search begins with the manifest's own process, which has the toolchain's
/// `libPackageDescription.so` mapped even if `swift` on PATH is only a proxy. PATH comes last.
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

// SwiftPM rejects unsafe flags in a dependency by version. A manifest cannot tell a dependency by
// version from one by branch, because SwiftPM loads both from `/` during resolution. Therefore the
// macros are built with the swift-syntax package in a checkout, unless SWIFT_HOST_LIBRARIES is set,
// and also if the toolchain has no SwiftSyntax.
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
    "SwiftParser", "SwiftDiagnostics", "_SwiftCompilerPluginMessageHandling",
  ].map { .product(name: $0, package: "swift-syntax") } : []

/// `make fuzz` sets MARTLET_FUZZ. Then all modules except the macros and their dependencies are
/// instrumented for libFuzzer and AddressSanitizer. They are optimized, because more inputs are
/// worth more than better stack traces.
let isFuzzed = Context.environment["MARTLET_FUZZ"] != nil
let fuzzCompile: [SwiftSetting] =
  isFuzzed ? [.unsafeFlags(["-sanitize=fuzzer,address", "-O"])] : []

/// The folder of a module below `Sources`, and of its tests below `Tests`.
func folder(_ module: String) -> String {
  switch module {
  case _ where module.hasPrefix("C"): "System"
  case "MartletCluster": "Cluster"
  case "MartletReminders", "MartletICalendar", "MartletXML", "MartletCalDAV", "MartletCourier",
    "MartletQuickAdd", "MartletRemindersAPI", "MartletServer", "MartletMain":
    "Service"
  default: "Libraries"
  }
}
func path(_ module: String) -> String { "Sources/\(folder(module))/\(module)" }

/// A library of the system, or a loader of one.
func system(_ name: String) -> Target { .systemLibrary(name: name, path: path(name)) }
func loader(_ name: String) -> Target { .target(name: name, path: path(name)) }

/// A library target of this package. Its README.md is not part of the build.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: path(name), exclude: ["README.md"],
    swiftSettings: ["MartletNaming", "MartletSQLTokens"].contains(name) ? [] : fuzzCompile)
}

/// The tests of a module. They read cases and golden files from the source folder.
func tests(
  of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [],
  swiftSettings: [SwiftSetting] = [],
  linkerSettings: [LinkerSetting] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies,
    path: "Tests/\(folder(name))/\(name)Tests", exclude: exclude, swiftSettings: swiftSettings,
    linkerSettings: linkerSettings)
}

/// The fuzz targets. Normally they are a test target that replays the committed corpus. For `make
/// fuzz` they are a library that `scripts/fuzz` links with libFuzzer. A source file can belong to
/// one target only, so it is never both.
let fuzz: Target = {
  let dependencies: [Target.Dependency] = [
    "MartletRemindersAPI", "MartletCalDAV", "MartletLiveAPI", "MartletReminders",
    "MartletQuickAdd", "MartletXML", "MartletICalendar", "MartletLiveQueries",
    "MartletStore", "MartletSQLShape", "MartletSQLite", "MartletQueryBuilder",
    "MartletHTTP", "MartletJSON", "MartletTime", "TestSupport",
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

/// The modules that `import Martlet` exports. A target that depends on Martlet lists them as well,
/// because SwiftPM recompiles it only after changes to modules that it lists, not to modules that
/// those export.
let exported = [
  "MartletLiveAPI", "MartletHTTP", "MartletLiveQueries", "MartletStore", "MartletSQLite",
  "MartletQueryBuilder", "MartletJSON", "MartletTime",
]
let martlet = (["Martlet"] + exported).map { Target.Dependency.byName(name: $0) }

let package = Package(
  name: "martlet",
  products: [
    .executable(name: "martlet", targets: ["MartletMain"]),
    .executable(name: "http-probe", targets: ["http-probe"]),
    .library(name: "Martlet", targets: ["Martlet"] + exported),
    .library(name: "MartletJSON", targets: ["MartletJSON"]),
    .library(name: "MartletTime", targets: ["MartletTime"]),
    .library(name: "MartletQueryBuilder", targets: ["MartletQueryBuilder"]),
    .library(name: "MartletSQLite", targets: ["MartletSQLite"]),
    .library(name: "MartletHTTP", targets: ["MartletHTTP"]),
    .library(name: "MartletStore", targets: ["MartletStore"]),
    .library(name: "MartletLiveQueries", targets: ["MartletLiveQueries"]),
    .library(name: "MartletLiveAPI", targets: ["MartletLiveAPI"]),
    .library(name: "MartletTesting", targets: ["MartletTesting"]),
  ] + fuzzProduct,
  dependencies: syntaxPackage,
  targets: [
    // Layer 1
    system("CMartletSQLite"),
    system("CMartletZlib"),
    system("CMartletExpat"),
    system("CMartletSystem"),
    loader("CMartletAssets"),
    loader("CMartletCurl"),
    loader("CMartletDqlite"),
    module("MartletJSON"),
    module("MartletTime", ["CMartletSystem"]),
    module("MartletNaming"),
    module("MartletSQLTokens"),
    .target(
      name: "MartletQueryMacros",
      dependencies: syntaxProducts + ["MartletNaming", "MartletSQLTokens"],
      path: path("MartletQueryMacros"), exclude: ["README.md"], swiftSettings: macroCompile),
    // No test may depend on it: SwiftPM would build all modules twice, for the tests and for the
    // programs.
    .macro(
      name: "MartletQueryPlugin", dependencies: syntaxProducts + ["MartletQueryMacros"],
      path: path("MartletQueryPlugin"), exclude: ["README.md"],
      swiftSettings: macroCompile, linkerSettings: macroLink),
    module(
      "MartletQueryBuilder",
      ["MartletQueryPlugin", "MartletNaming", "MartletSQLTokens", "MartletTime"]),
    // Layer 2
    module("MartletSQLite", ["CMartletSQLite"]),
    module("MartletHTTP", ["CMartletSystem", "CMartletZlib", "MartletJSON", "MartletTime"]),
    module("MartletXML", ["CMartletExpat", "MartletJSON"]),
    module("MartletICalendar", ["MartletJSON", "MartletTime"]),
    module("MartletQuickAdd", ["MartletTime"]),
    module("MartletCourier", ["CMartletCurl", "CMartletSystem", "MartletJSON", "MartletTime"]),
    // Layer 3
    module("MartletSQLShape", ["MartletSQLite", "MartletSQLTokens"]),
    module("MartletStore", ["MartletQueryBuilder", "MartletSQLite", "MartletJSON", "MartletTime"]),
    // Layer 4
    module(
      "MartletLiveQueries",
      [
        "MartletStore", "MartletQueryBuilder", "MartletSQLite", "MartletSQLShape", "MartletJSON",
        "MartletTime",
      ]),
    module(
      "MartletCluster",
      ["CMartletDqlite", "MartletStore", "MartletSQLite", "MartletJSON", "MartletTime"]),
    module(
      "MartletReminders",
      [
        "MartletStore", "MartletSQLite", "MartletQueryBuilder", "MartletCourier",
        "MartletICalendar", "MartletJSON", "MartletTime", "CMartletAssets",
      ]),
    // Layer 5
    module(
      "MartletLiveAPI",
      [
        "CMartletSystem", "MartletHTTP", "MartletStore", "MartletSQLite", "MartletLiveQueries",
        "MartletQueryBuilder", "MartletJSON", "MartletTime",
      ]),
    // Layer 6
    module("Martlet", exported.map { .byName(name: $0) }),
    module("MartletTesting", ["MartletLiveAPI", "MartletStore", "MartletJSON", "MartletTime"]),
    // It never imports the query builder but stores its queries, so a change of their layout must
    // recompile it.
    module(
      "MartletRemindersAPI",
      [
        "MartletLiveAPI", "MartletHTTP", "MartletReminders", "MartletLiveQueries", "MartletStore",
        "MartletSQLite", "MartletQueryBuilder", "MartletICalendar", "MartletQuickAdd",
        "MartletCourier", "MartletJSON", "MartletTime",
      ]),
    module(
      "MartletCalDAV",
      [
        "MartletLiveAPI", "MartletHTTP", "MartletReminders", "MartletSQLite", "MartletICalendar",
        "MartletXML", "MartletJSON", "MartletTime",
      ]),
    // Layer 7
    module(
      "MartletServer",
      [
        "MartletRemindersAPI", "MartletCalDAV", "MartletLiveAPI", "MartletReminders",
        "MartletLiveQueries",
        "MartletCluster", "MartletStore", "MartletSQLite", "MartletHTTP", "MartletCourier",
        "MartletJSON", "MartletTime", "CMartletAssets", "CMartletSystem",
      ]),
    // Layer 8
    .executableTarget(
      name: "MartletMain", dependencies: ["MartletServer"], path: path("MartletMain"),
      exclude: ["README.md"]),
    // Examples
    .executableTarget(
      name: "http-probe", dependencies: ["MartletHTTP", "MartletJSON"], path: "Examples/http-probe"),
    .executableTarget(
      name: "blog", dependencies: martlet, path: "Examples/blog"),
    // Benchmarks
    .target(name: "CBaseline", path: "Benchmarks/CBaseline"),
    .executableTarget(
      name: "query-bench",
      dependencies: [
        "CBaseline", "MartletStore", "MartletSQLite", "MartletQueryBuilder", "MartletJSON",
      ],
      path: "Benchmarks/query-bench"),
    .executableTarget(
      name: "cluster-node",
      dependencies: [
        "MartletCluster", "MartletReminders", "MartletStore", "MartletSQLite", "MartletTime",
      ],
      path: "Benchmarks/cluster-node"),
    .executableTarget(
      name: "live-bench", dependencies: ["CMartletSystem"], path: "Benchmarks/live-bench"),
    // Tests
    .target(
      name: "TestSupport",
      dependencies: [
        "MartletTesting", "MartletCourier", "MartletQuickAdd", "MartletSQLite", "MartletStore",
        "MartletTime",
      ],
      path: "Tests/Support"),
    tests(of: "MartletJSON", ["TestSupport"], exclude: ["Cases"]),
    tests(of: "MartletTime", ["TestSupport"], exclude: ["Cases"]),
    tests(of: "MartletNaming"),
    tests(of: "MartletSQLTokens", ["CMartletSQLite", "TestSupport"]),
    tests(
      of: "MartletQueryMacros", exclude: ["Golden"], swiftSettings: macroCompile,
      linkerSettings: macroLink),
    tests(of: "MartletQueryBuilder", ["MartletSQLite", "MartletStore", "TestSupport"]),
    tests(of: "MartletSQLite", ["TestSupport"]),
    tests(
      of: "MartletHTTP",
      ["MartletTesting", "MartletJSON", "MartletTime", "CMartletZlib", "TestSupport"],
      exclude: ["Cases.http"]),
    tests(of: "MartletICalendar", ["MartletJSON", "MartletTime", "TestSupport"]),
    tests(of: "MartletXML", ["MartletJSON"]),
    tests(of: "MartletQuickAdd", ["MartletTime", "TestSupport"], exclude: ["Cases"]),
    tests(of: "MartletCluster", ["MartletStore", "MartletSQLite", "TestSupport"]),
    tests(of: "MartletCourier", ["CMartletCurl", "MartletJSON", "MartletTime", "TestSupport"]),
    tests(of: "MartletSQLShape"),
    tests(
      of: "MartletStore",
      ["MartletSQLite", "MartletQueryBuilder", "MartletJSON", "MartletTime", "TestSupport"]),
    tests(
      of: "MartletLiveQueries",
      [
        "MartletStore", "MartletSQLite", "MartletQueryBuilder", "MartletJSON", "MartletTime",
        "TestSupport",
      ]),
    tests(
      of: "MartletReminders",
      [
        "MartletStore", "MartletSQLite", "MartletQueryBuilder", "MartletCourier", "MartletJSON",
        "MartletTime", "CMartletAssets", "TestSupport",
      ]),
    tests(
      of: "MartletLiveAPI",
      [
        "MartletHTTP", "MartletStore", "MartletSQLite", "MartletLiveQueries", "MartletJSON",
        "MartletTime", "TestSupport",
      ]),
    tests(
      of: "MartletRemindersAPI",
      [
        "MartletLiveAPI", "MartletHTTP", "MartletReminders", "MartletLiveQueries", "MartletStore",
        "MartletSQLite", "MartletICalendar", "MartletJSON", "MartletTime",
        "TestSupport",
      ]),
    tests(
      of: "MartletCalDAV",
      [
        "MartletRemindersAPI", "MartletLiveAPI", "MartletHTTP", "MartletReminders",
        "MartletLiveQueries", "MartletStore", "MartletSQLite", "MartletICalendar", "MartletXML",
        "MartletJSON", "MartletTime", "TestSupport",
      ]),
    tests(
      of: "MartletTesting",
      [
        "Martlet", "MartletLiveAPI", "MartletLiveQueries", "MartletHTTP", "MartletStore",
        "MartletSQLite", "MartletQueryBuilder", "MartletJSON", "MartletTime", "TestSupport",
      ]),
    // Tests the program from outside, as a process.
    .testTarget(
      name: "MartletServerTests",
      dependencies: [
        "MartletServer", "MartletRemindersAPI", "MartletLiveAPI", "MartletHTTP", "MartletSQLite",
        "MartletStore", "MartletCluster", "MartletCourier", "MartletJSON", "MartletTime",
        "TestSupport",
      ], path: "Tests/Service/MartletServerTests"),
    fuzz,
  ],
  swiftLanguageModes: [.v6]
)
