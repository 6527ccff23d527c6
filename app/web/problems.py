"""Errors as answers: a page for people, RFC 9457 problem details for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import structlog
from flask import Flask, Response, current_app, jsonify, render_template, request, url_for
from flask_limiter.errors import RateLimitExceeded
from flask_wtf.csrf import CSRFError
from markupsafe import Markup, escape
from sqlalchemy.exc import OperationalError
from werkzeug.exceptions import BadRequest, HTTPException
from werkzeug.routing import BuildError

from app.errors import NotFoundError, SaishiError, TooManyRequestsError
from app.text import Cited, T
from app.web.i18n import show

log = structlog.get_logger()
API_PREFIX = "/api/"
PROBLEM = "application/problem+json"
"""Also what a script of our own pages names in ``Accept``; no browser does by itself."""


class StaleFormError(SaishiError):
    """A form whose CSRF token is missing or no longer fits."""

    status = 400
    code = "stale_form"


HTTP_TEXTS: dict[int, T] = {
    400: T("请求的格式不对。"),
    404: T("没有找到这个页面或这条记录。"),
    405: T("这个地址不支持这种操作。"),
    413: T("发送的内容太大。"),
    416: T("没有文件的这一部分。"),
    415: T("请以 application/json 发送。"),
    422: T("有内容需要修改，请看标出的地方。"),
    429: T("操作太频繁，请稍等一分钟再试。"),
}


def clause_url(error: SaishiError) -> str | None:
    """Where a rules page explains the clause of a refusal: of the competition the request is about, or of the draft or the
    shipped regulation that ``error.extra`` names."""
    return None if error.clause is None else _place_of(error.clause, error.extra)


def _place_of(clause: str, extra: Mapping[str, Any]) -> str | None:
    anchor = f"clause-{clause}"
    slug = current_app.extensions["saishi_competition_of"](request.view_args or {})
    shipped, draft = extra.get("regulation"), extra.get("draft")
    try:
        if slug is not None:
            return url_for("competitions.regulation", slug=slug, _anchor=anchor)
        if isinstance(draft, int):
            return url_for("regulation_editing.preview", draft_id=draft, _anchor=anchor)
        if isinstance(shipped, str):
            return url_for("regulations.show", regulation_id=shipped, _anchor=anchor)
    except BuildError:
        return None
    return None


def _opens(path: str) -> bool:
    """Whether ``path`` of this site is a page, not merely the address of a form."""
    try:
        current_app.create_url_adapter(request).match(path, method="GET")  # type: ignore[union-attr]  # there is a request
    except HTTPException:
        return False
    return True


def way_on() -> str:
    """Where the reader of a refusal goes on, after signing in or at once: the page they were on.

    A refused form was sent to an address that may be no page: the form's own page is named by the ``Referer``,
    and where that is missing or no page either, the nearest page above the address stands in for it.
    """
    if request.method == "GET":
        return request.full_path.rstrip("?")
    came_from = urlsplit(request.referrer or "")
    if came_from.netloc == request.host and _opens(came_from.path):
        return came_from.path + (f"?{came_from.query}" if came_from.query else "")
    path = request.path
    while path and not _opens(path):
        path = path.rpartition("/")[0]
    return path or "/"


def this_page(**further: str) -> str:
    """The address of the page that is shown, with what it asks for and ``further``; of an answer to a form that was sent, which nobody
    can open again, the page of that form."""
    if request.method == "GET":
        path, asked = request.path, request.args.to_dict()
    else:
        parts = urlsplit(way_on())
        path, asked = parts.path, dict(parse_qsl(parts.query, keep_blank_values=True))
    query = urlencode(asked | further)
    return f"{path}?{query}" if query else path


def problem_document(error: SaishiError) -> dict[str, Any]:
    """RFC 9457 problem details of a refusal, in the reader's language."""
    document: dict[str, Any] = {
        "type": f"urn:saishi:problem:{error.code}",
        "title": show(T("未能完成")),
        "status": error.status,
        "detail": show(error.text),
        "code": error.code,
    }
    if error.clause:
        document["clause"] = error.clause
        if url := clause_url(error):
            document["clause_url"] = url
    if error.next_step:
        document["next_step"] = show(error.next_step)
    if error.fields:
        document["errors"] = [_fault(path, text, error.extra) for path, text in error.fields.items()]
    return {key: value for key, value in error.extra.items() if key not in document} | document


def _fault(path: str, text: T, extra: Mapping[str, Any]) -> dict[str, Any]:
    """One wrong field; with its own clause where its sentence rests on one."""
    fault = {"pointer": "/" + path.replace(".", "/"), "detail": show(text)}
    if isinstance(text, Cited):
        fault["clause"] = text.clause
        if url := _place_of(text.clause, extra):
            fault["clause_url"] = url
    return fault


def cited(text: T) -> Markup:
    """A sentence as HTML; the clause it rests on is a link to the rules page."""
    place = _place_of(text.clause, {}) if isinstance(text, Cited) else None
    if not isinstance(text, Cited) or place is None:
        return escape(show(text))
    said, words = show(text.sentence), show(text)
    # “（规程 三(一)3）” follows the sentence in both languages; the number is the text's own, Chinese on any page
    before, _, after = words.removeprefix(said).rpartition(text.clause)
    number = Markup('<span lang="zh">{}</span>').format(text.clause)
    return Markup('{}<a href="{}">{}{}{}</a>').format(said, place, before, number, after)


def _wants_json() -> bool:
    return request.path.startswith(API_PREFIX) or PROBLEM in (kind for kind, _ in request.accept_mimetypes)


def _answer(error: SaishiError, headers: dict[str, str] | None = None) -> Response:
    if _wants_json():
        response = jsonify(problem_document(error))
        response.mimetype = PROBLEM
    else:
        template = "errors/not_found.html" if error.status == 404 else "errors/refusal.html"
        page = render_template(template, error=error, clause_url=clause_url(error), way_on=way_on())
        response = current_app.make_response(page)
    response.status_code = error.status
    if error.status == 401 and _wants_json():
        response.headers["WWW-Authenticate"] = "Bearer"
    response.headers.update(headers or {})
    return response


def refusal(error: SaishiError) -> Response:
    return _answer(error)


def too_many(error: RateLimitExceeded) -> Response:
    headers = dict(error.get_response().headers)
    kept = {name: value for name, value in headers.items() if name.lower() == "retry-after"}
    return _answer(TooManyRequestsError(HTTP_TEXTS[429]), kept)


def csrf_failed(_error: CSRFError) -> Response:
    """The form's token is missing or too old: nothing was saved. The form's page fills in the draft it kept."""
    return _answer(
        StaleFormError(
            T("这个页面打开得太久，为了安全没有保存。"),
            next_step=T(
                "请点“返回”重新打开表单再提交。这台设备存下的内容会自动填回；身份证号和手机号从不存在本机，要重新填写。"
            ),
        )
    )


def _http_step(status: int) -> T | None:
    if status != 413 or not request.max_content_length:
        return None
    return T(
        "一次最多发送 %(most)s MB：请少选几个文件，分几次提交。返回表单后，这台设备存下的内容会自动填回。",
        most=request.max_content_length // (1024 * 1024),
    )


def http_error(error: HTTPException) -> Response:
    if error.code is None or error.response is not None or 300 <= error.code < 400:
        return current_app.make_response(error.get_response())
    if error.code == 404:
        return _answer(NotFoundError())
    answer = SaishiError(HTTP_TEXTS.get(error.code, T("未能完成。")), next_step=_http_step(error.code))
    response = _answer(answer)
    if _wants_json():
        document = problem_document(answer) | {
            "status": error.code,
            "code": error.name.lower().replace(" ", "_"),
        }
        response = jsonify(document)
        response.mimetype = PROBLEM
    response.status_code = error.code
    for name, value in error.get_headers():
        if name in {"Allow", "Content-Range", "Retry-After", "WWW-Authenticate"}:
            response.headers[name] = value
    return response


def defect(error: Exception) -> Response:
    """An error nobody foresaw: logged in full, shown as one sentence with a number to quote."""
    log.error("unhandled_error", path=request.path, exc_info=error)
    if current_app.testing or current_app.debug:
        raise error
    answer = SaishiError(
        T("系统出错了，您的操作没有完成，已有的内容没有丢失。"),
        next_step=T("请稍后再试；如果一直这样，请联系组委会。"),
    )
    if _wants_json():
        response = jsonify(problem_document(answer) | {"status": 500, "code": "defect"})
        response.mimetype = PROBLEM
    else:
        response = current_app.make_response(render_template("errors/server_error.html", error=answer))
    response.status_code = 500
    return response


def unreadable(_error: Exception) -> Response:
    """Nested beyond reading, or text that is no Unicode: a broken program sent it."""
    return http_error(BadRequest())


class BusyError(SaishiError):
    """The database could not take the change just now; nothing was saved."""

    status = 503
    code = "busy"


def busy(error: OperationalError) -> Response:
    """Two changes stood in each other's way, or the database is away: say so, and when to try again."""
    log.warning("database_busy", path=request.path, reason=type(error.orig).__name__)
    answer = BusyError(T("系统正忙，这次没有保存。"), next_step=T("请过几秒再试一次；填写的内容还在。"))
    return _answer(answer, {"Retry-After": "3"})


def register(app: Flask) -> None:
    app.jinja_env.filters["cited"] = cited
    app.jinja_env.globals["clause_place"] = clause_url
    app.jinja_env.globals["this_page"] = this_page
    app.register_error_handler(SaishiError, refusal)
    app.register_error_handler(RateLimitExceeded, too_many)
    app.register_error_handler(CSRFError, csrf_failed)
    app.register_error_handler(HTTPException, http_error)
    app.register_error_handler(RecursionError, unreadable)
    app.register_error_handler(UnicodeEncodeError, unreadable)
    app.register_error_handler(OperationalError, busy)
    app.register_error_handler(Exception, defect)
