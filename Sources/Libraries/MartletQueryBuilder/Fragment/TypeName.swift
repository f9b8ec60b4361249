/// A type's name as it is written in code.
///
/// If the type is known at compile time, the optimizer gives a private type a longer name,
/// `(Email in _2ACB…)`. That is why the parameter is not generic and the function is not inlined.
@inline(never) @usableFromInline package func typeName(_ type: Any.Type) -> String { "\(type)" }
