"""What people see: boards, words, documents, templates, and the files that pages load."""
