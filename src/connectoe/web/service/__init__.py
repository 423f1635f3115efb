"""Who may do what: matches, their storage, live updates, and the engines that play and analyse."""
