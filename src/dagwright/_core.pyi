"""Native core of dagwright: counting, evidence, graphs and search loops."""
