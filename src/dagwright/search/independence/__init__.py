"""The parts of searches by independence tests: skeleton, colliders, and an honest account."""
