import SwiftSyntax

/// The access level of a declaration. `private` counts as `fileprivate`: private members of an
/// extension would not be visible everywhere the type's are.
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

  /// The keyword and a space, for use in front of a declaration.
  var prefix: String {
    switch self {
    case .filePrivate: "fileprivate "
    case .module: ""
    case .package: "package "
    case .all: "public "
    }
  }
}
