"""Questions to a network: exact and approximate inference, sampling, predictions for many rows."""
