"""How far apart two networks are, and how well a network predicts."""
