"""The tests, laid out like the package they test."""
