import SwiftSyntax

/// How far a declaration is seen. `private` counts as `fileprivate`: an extension's own private members
/// would not be seen where the type's are.
enum Access: Int, Comparable {
  case filePrivate, module, package, all

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  init?(_ modifiers: DeclModifierListSyntax) {
    for modifier in modifiers where modifier.detail == nil {
      switch modifier.name.tokenKind {
      case .keyword(.private), .keyword(.fileprivate): self = .filePrivate
      case .keyword(.internal): self = .module
      case .keyword(.package): self = .package
      case .keyword(.public), .keyword(.open): self = .all
      default: continue
      }
      return
    }
    return nil
  }

  /// With a space behind it, to be put before a declaration.
  var prefix: String {
    switch self {
    case .filePrivate: "fileprivate "
    case .module: ""
    case .package: "package "
    case .all: "public "
    }
  }
}
