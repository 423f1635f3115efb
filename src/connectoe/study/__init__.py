"""The balance lab: is a game fair, how often does it tie, and what would another rule do?

A study is a plan (plan.py), cut into chunks that are played anywhere (playing.py, running.py) and written to disk one
by one; its figures (measures.py, figures.py) and its report (report.py) follow from the chunks alone.
"""
