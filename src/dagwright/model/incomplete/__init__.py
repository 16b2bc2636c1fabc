"""Networks from incomplete rows: EM for parameters, structural EM for graphs, observed scores."""
