import MartletHTTP
import MartletLiveQueries
import Synchronization

/// Which bundles have something new: their streams are woken when a turn of the refresher is over, so
/// that all that one commit changed is there.
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
