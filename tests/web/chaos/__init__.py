"""Chaos: people play while everything goes wrong, and every move that was accepted is followed to the end.

    clients.py    a client with an address of its own, who asks again while the server is away
    players.py    people who play, watch, and write down what they were told
    hostile.py    clients that send nonsense, too much, too slowly, or do not read
    faults.py     kill -9, databases that freeze or restart, full disks, clocks that jump
    running.py    all of it at once, for a while; `calm` runs measure instead

`python -m tests.web.chaos --minutes 60` runs it for long; `tests/web/test_chaos.py` runs every fault once.
"""
