"""Interventions: surgery on the graph, causal effects, adjustment sets."""
