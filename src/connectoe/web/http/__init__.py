"""Requests and answers: the application, its pages, the JSON API, and the server that runs it."""
