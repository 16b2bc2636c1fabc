"""Nodes with numbers: linear Gaussian distributions, exact inference by exchange operations, fitting."""
