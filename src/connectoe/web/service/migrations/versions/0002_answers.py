"""What became of offers."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Adds the column."""
    op.add_column("matches", sql.Column("answers", sql.Text, nullable=False, server_default="[]"))


def downgrade() -> None:
    """Removes it."""
    op.drop_column("matches", "answers")
