/// A type's name as people write it. Where it is known at compile time the optimiser gives a private type a longer
/// one, `(Email in _2ACB…)`: hence no generic parameter, and not inlined.
@inline(never) @usableFromInline package func typeName(_ type: Any.Type) -> String { "\(type)" }
