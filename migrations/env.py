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
        if connection.dialect.name == "sqlite":
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
            if broken:
                raise RuntimeError(f"rows that point at nothing: {broken[:5]}")


with database.engine.connect() as connection:
    if connection.dialect.name == "sqlite":
        # A table that others point at is changed by making it anew; SQLite wants the references looked at afterwards,
        # and takes this word only outside a transaction.
        connection.connection.execute("PRAGMA foreign_keys=OFF")
    run(connection)
    if connection.in_transaction():
        connection.commit()
    if connection.dialect.name == "sqlite":
        connection.connection.execute("PRAGMA foreign_keys=ON")
