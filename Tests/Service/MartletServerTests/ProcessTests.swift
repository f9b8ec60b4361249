import Testing

/// Tests with servers under load. They run one after the other, so that they do not overload a slow
/// machine.
@Suite(.serialized) enum ProcessTests {}
