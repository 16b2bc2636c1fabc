"""dagwright studio: a local web application over the library.

`server` answers requests and keeps projects; all work on data, graphs and networks is done by `verbs` in
worker processes. Needs the extra ``dagwright[studio]``.
"""
