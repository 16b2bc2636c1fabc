"""What the searches that ask independence tests share: skeleton, colliders, and an honest account."""
