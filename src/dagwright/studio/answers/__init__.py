"""The shapes of answers: what the server sends, declared once for OpenAPI, for the page and for tests."""
