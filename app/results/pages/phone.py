"""What the table's page needs on the phone besides itself: its service worker (app/frontend/worker.js)."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, request

from app.errors import ConflictError
from app.text import T
from app.web import public
from app.web.access import account_mark
from app.web.assets import file_of

ACCOUNT = "X-Account"
"""The header in which a phone says whose page it sends from."""

blueprint = Blueprint("phone", __name__)


@blueprint.get("/table-worker.js")
@public
def worker() -> Response:
    """The worker under an address that never changes, so that browsers look there for a newer one; every answer is asked for anew."""
    answer = current_app.send_static_file(file_of("worker.js"))
    answer.headers["Content-Type"] = "text/javascript; charset=utf-8"
    answer.headers["Cache-Control"] = "no-cache"
    return answer


def require_same_account() -> None:
    """What one person typed is not recorded as another's: somebody else may have signed in on the phone since.

    Raises ``ConflictError``; the phone then reads the page anew, and asks whoever is signed in now.
    """
    said = request.headers.get(ACCOUNT)
    if said is not None and said != account_mark():
        raise ConflictError(
            T("这台手机上登录的账号换了，您的内容还没有保存。"),
            next_step=T("请用原来的账号重新登录，或在本桌页面上确认用现在的账号上传。"),
        )
