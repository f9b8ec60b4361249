import MartletHTTP
import MartletLiveQueries
import Synchronization

/// Collects the bundles with new states. Their streams are woken after a batch of refreshes, so
/// that everything that one commit changed is available.
final class BundleRegistry: Sendable {
  private let touched = Mutex<[ObjectIdentifier: Broadcast]>([:])

  init(_ live: LiveQueries) {
    live.onTurn { [weak self] in self?.wake() }
  }

  func touch(_ bundle: Broadcast) {
    touched.withLock { $0[ObjectIdentifier(bundle)] = bundle }
  }

  private func wake() {
    let bundles = touched.withLock { touched in
      defer { touched.removeAll(keepingCapacity: true) }
      return Array(touched.values)
    }
    for bundle in bundles { bundle.wake() }
  }
}
