"""Every method by name: the registry, how methods are written, what may stand for one."""
