"""The best network as an integer program: its relaxation, its cuts, and branch and bound."""
