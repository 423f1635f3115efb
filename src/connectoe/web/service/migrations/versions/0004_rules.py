"""The version of the rules that a match of somebody's own game is played by."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Adds the column."""
    op.add_column("matches", sql.Column("rules", sql.String(20), nullable=False, server_default=""))


def downgrade() -> None:
    """Removes it."""
    op.drop_column("matches", "rules")
