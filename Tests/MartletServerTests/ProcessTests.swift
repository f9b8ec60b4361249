import Testing

/// What runs servers under load: one after the other, so that a slow machine is not asked for all of it
/// at once.
@Suite(.serialized) enum ProcessTests {}
