"""Local discovery: the Markov blanket, or the parents and children, of one variable at a time."""
