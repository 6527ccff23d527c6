"""Alembic's environment: the application's engine, one transaction for the whole upgrade on both databases."""

from alembic import context
from flask import current_app
from sqlalchemy import Connection

database = current_app.extensions["migrate"].db


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=database.metadata,
        compare_type=True,
        compare_server_default=True,
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
