"""The balance lab: is a game fair, how often is it drawn, and what would another rule change?

A study is a plan (plan.py), cut into chunks that workers play (playing.py, execution.py); each finished chunk is a file
(chunks.py, folder.py). The chunks alone determine the figures (measures.py, summary.py, figures.py), and the figures
the report (sentences.py, charts.py, report.py).
"""
