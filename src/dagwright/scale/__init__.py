"""Rows on the machines of a cluster, and work spread over them."""

from dagwright.scale.cluster import ClusterRows
from dagwright.scale.reading import cluster_table, is_on_cluster
from dagwright.scale.spreading import Spreading, spread
from dagwright.scale.waiting import Patience

__all__ = ["ClusterRows", "Patience", "Spreading", "cluster_table", "is_on_cluster", "spread"]
