"""The tables of a network: checks, sizes, parameters from data, random tables."""
