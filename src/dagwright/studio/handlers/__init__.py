"""What each address does, by the step of the page that it serves."""
