"""Rows on the machines of a cluster."""

from dagwright.scale.cluster import ClusterRows, cluster_table

__all__ = ["ClusterRows", "cluster_table"]
