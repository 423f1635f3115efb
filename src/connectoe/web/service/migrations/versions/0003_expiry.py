"""What has been left alone for how long, and matches that have expired."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "uptime",
        sql.Column("id", sql.Integer, primary_key=True),
        sql.Column("hours", sql.Float, nullable=False),
        sql.Column("probe", sql.Integer, nullable=False),
    )
    op.execute("INSERT INTO uptime (id, hours, probe) VALUES (1, 0, 0)")
    op.create_table(
        "idle",
        sql.Column("match", sql.String(20), sql.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("version", sql.Integer, nullable=False),
        sql.Column("is_over", sql.Boolean, nullable=False),
        sql.Column("since", sql.Float, nullable=False),
        sql.Index("idle_since", "is_over", "since"),
    )
    op.create_table(
        "expired",
        sql.Column("match", sql.String(20), primary_key=True),
        sql.Column("since", sql.Float, nullable=False),
        sql.Column("content", sql.Text, nullable=False),
        sql.Index("expired_since", "since"),
    )


def downgrade() -> None:
    """Removes them."""
    for table in ("expired", "idle", "uptime"):
        op.drop_table(table)
