"""What studies and tournaments share: worker processes and clusters, games sent to them, and random openings."""
