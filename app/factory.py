"""Builds the Flask application: configuration, extensions, blueprints, templates."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from flask import Flask
from flask_babel import get_locale, get_translations
from sqlalchemy.pool import NullPool
from werkzeug.middleware.proxy_fix import ProxyFix

from app import clock, database, extensions, jobs, logs, models, routes, signing
from app.accounts import session as _session  # registers flask-login's loaders
from app.actors import ROLE_NAMES, Role
from app.files import store
from app.files.cleaning import scanning
from app.mail.fetching import MailboxAddress
from app.mailbox.rules import watch
from app.notifications import links
from app.sentences import in_templates
from app.settings import Settings
from app.web import headers, i18n, problems, requests
from app.web.access import account_mark, current_actor
from app.web.api import api
from app.web.assets import asset

__all__ = ["build"]
ROOT = Path(__file__).resolve().parent.parent
_ = (models, _session)


def build(settings: Settings) -> Flask:
    """A ready application. ``settings.secret_key`` must be set."""
    logs.configure()
    app = Flask("app", root_path=str(ROOT / "app"), template_folder=str(ROOT / "templates"))
    app.config.update(_config(settings))
    clock.configure(settings.clock_file)
    database.configure_keys(settings.secret_key)
    signing.configure(settings.secret_key)
    links.configure(settings)
    watch(MailboxAddress.read(settings.imap_url).folder if settings.imap_url else None)
    store.configure(settings)
    scanning.configure(settings)
    app.extensions["saishi_celery"] = jobs.configure(settings)
    if settings.proxies:
        hops = settings.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]
    _bind_extensions(app)
    _prepare_templates(app)
    headers.register(app, secure=settings.secure)
    problems.register(app)
    requests.register(app)
    routes.register(app)
    app.after_request(i18n.remember_language)
    return app


def _config(settings: Settings) -> dict[str, Any]:
    return {
        "SAISHI": settings,
        "SECRET_KEY": settings.secret_key,
        "SQLALCHEMY_DATABASE_URI": settings.database_url,
        "SQLALCHEMY_ENGINE_OPTIONS": _engine_options(settings.database_url),
        "MAX_CONTENT_LENGTH": 2 * 1024 * 1024,
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SESSION_COOKIE_SECURE": settings.secure,
        "REMEMBER_COOKIE_HTTPONLY": True,
        "REMEMBER_COOKIE_SAMESITE": "Lax",
        "REMEMBER_COOKIE_SECURE": settings.secure,
        "REMEMBER_COOKIE_DURATION": timedelta(days=30),
        "WTF_CSRF_CHECK_DEFAULT": True,
        "WTF_CSRF_TIME_LIMIT": None,
        "WTF_CSRF_SSL_STRICT": False,
        "RATELIMIT_STORAGE_URI": settings.limits_url,
        # Redis may be down: then each process counts for itself, and signing in goes on
        "RATELIMIT_IN_MEMORY_FALLBACK_ENABLED": True,
        "RATELIMIT_STORAGE_OPTIONS": _limits_options(settings.limits_url),
        "RATELIMIT_HEADERS_ENABLED": True,
        "BABEL_DEFAULT_LOCALE": settings.language,
        "API_TITLE": "Saishi 赛事小站",
        "API_VERSION": "v1",
        "OPENAPI_VERSION": "3.1.0",
        "OPENAPI_URL_PREFIX": "/api/v1",
        "OPENAPI_JSON_PATH": "openapi.json",
        "API_SPEC_OPTIONS": {
            "components": {"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
            "security": [{"bearer": []}],
        },
        "JSON_AS_ASCII": False,
    }


def _limits_options(url: str) -> dict[str, Any]:
    return {} if url.startswith("memory:") else {"socket_connect_timeout": 1, "socket_timeout": 1}


def _engine_options(url: str) -> dict[str, Any]:
    if url.startswith("sqlite"):
        # a connection per request: cheap for a file, and no thread ever holds another's write lock
        return {"poolclass": NullPool, "hide_parameters": True}
    # parameters hold personal data and must not reach a log with a traceback
    return {"hide_parameters": True, "pool_pre_ping": True, "pool_size": 10, "max_overflow": 20}


def _bind_extensions(app: Flask) -> None:
    extensions.db.init_app(app)
    extensions.migrate.init_app(app, extensions.db, directory=str(ROOT / "migrations"))
    extensions.babel.init_app(
        app,
        default_domain="messages",
        default_translation_directories=str(ROOT / "app" / "translations"),
        locale_selector=i18n.choose_language,
    )
    extensions.login.init_app(app)
    extensions.csrf.init_app(app)
    extensions.limiter.init_app(app)
    api.init_app(app)


def _prepare_templates(app: Flask) -> None:
    app.json.ensure_ascii = False  # type: ignore[attr-defined]  # DefaultJSONProvider has it
    env = app.jinja_env
    env.trim_blocks = env.lstrip_blocks = True
    env.globals["gettext"] = in_templates(lambda sentence: get_translations().ugettext(sentence))
    env.filters |= {
        "t": i18n.show,
        "beijing": i18n.show_moment,
        "until": i18n.show_last_moment,
        "signed": i18n.signed,
    }
    env.globals |= {
        "current_actor": current_actor,
        "get_locale": get_locale,
        "asset": asset,
        "account_mark": account_mark,
        "Role": Role,
        "ROLE_NAMES": ROLE_NAMES,
        "demo": app.config["SAISHI"].demo,
    }
