"""Alembic's environment: the application's engine, one transaction for the whole upgrade on both databases."""

from alembic import context
from flask import current_app
from sqlalchemy import Connection

from app.database import Encrypted, UtcDateTime

database = current_app.extensions["migrate"].db


PLAIN_TYPES = {UtcDateTime: "sa.DateTime()", Encrypted: "sa.Text()"}
"""A migration names what the database stores, not today's classes of the program."""


def plain_type(kind: str, item: object, _context: object) -> str | bool:
    return PLAIN_TYPES.get(type(item), False) if kind == "type" else False


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=database.metadata,
        compare_type=True,
        compare_server_default=True,
        render_item=plain_type,
        render_as_batch=connection.dialect.name == "sqlite",
        # app.database sends BEGIN itself, so SQLite too takes an upgrade whole or not at all
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


with database.engine.connect() as connection:
    run(connection)
    if connection.in_transaction():
        connection.commit()
