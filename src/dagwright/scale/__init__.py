"""Rows on the machines of a cluster, and work spread over them."""

from dagwright.scale.cluster import ClusterRows, cluster_table, is_on_cluster
from dagwright.scale.spreading import Spreading, spread

__all__ = ["ClusterRows", "Spreading", "cluster_table", "is_on_cluster", "spread"]
