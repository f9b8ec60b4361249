/// Something that only the primary can do.
public enum ClusterRequest: Sendable {
  /// Makes another node the primary: the one with this ID, or any.
  case transfer(to: UInt64?)
  /// Takes a node out of the cluster.
  case remove(UInt64)
}
