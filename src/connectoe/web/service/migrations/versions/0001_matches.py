"""Matches, seats and moves."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "matches",
        sql.Column("id", sql.String(20), primary_key=True),
        sql.Column("game", sql.String(60), nullable=False),
        sql.Column("options", sql.Text, nullable=False),
        sql.Column("start", sql.Text, nullable=False),
        sql.Column("version", sql.Integer, nullable=False),
        sql.Column("created", sql.Float, nullable=False),
        sql.Column("changed", sql.Float, nullable=False),
        sql.Column("is_over", sql.Boolean, nullable=False),
        sql.Column("ended_by", sql.String(20), nullable=False),
        sql.Column("draw_offer", sql.Integer),
        sql.Column("undo_offer", sql.Integer),
        sql.Column("rematch", sql.String(20)),
        sql.Column("engine_to_move", sql.Boolean, nullable=False),
    )
    op.create_index("matches_engine_to_move", "matches", ["engine_to_move", "changed"])
    op.create_index("matches_changed", "matches", ["changed"])
    op.create_table(
        "seats",
        sql.Column("match", sql.String(20), sql.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("seat", sql.Integer, primary_key=True),
        sql.Column("kind", sql.String(10), nullable=False),
        sql.Column("name", sql.String(60), nullable=False),
        sql.Column("level", sql.String(20)),
        sql.Column("secret_hash", sql.String(64), nullable=False),
        sql.Column("origin", sql.String(40), nullable=False),
        sql.Column("holder", sql.String(64), nullable=False),
        sql.Column("seen", sql.Float, nullable=False),
    )
    op.create_index("seats_holder", "seats", ["holder"])
    op.create_table(
        "moves",
        sql.Column("match", sql.String(20), sql.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("ply", sql.Integer, primary_key=True),
        sql.Column("move", sql.String(20), nullable=False),
        sql.Column("at", sql.Float, nullable=False),
    )


def downgrade() -> None:
    """Removes them."""
    for table in ("moves", "seats", "matches"):
        op.drop_table(table)
