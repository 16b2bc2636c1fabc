"""The handlers of each address, by the step of the page that they serve."""
