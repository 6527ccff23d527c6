"""What the phone's page calls while it uploads, the sender's own look at a file, and the page of what is not handed in.

The addresses answer in JSON like the API, but to the cookie of the page and with its CSRF token.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response, flash, jsonify, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app.competitions import queries as competitions
from app.errors import SaishiError
from app.uploads import queries, sending
from app.uploads.pages.serving import serve
from app.uploads.pages.texts import script_texts
from app.uploads.queries import UploadView
from app.uploads.rules import PURPOSES, FileRole, UnknownPurposeError, purpose, refusals
from app.uploads.schemas import NewUploadSchema, OffsetSchema, upload_document
from app.web import current_actor, signed_in
from app.web.forms import load
from app.web.i18n import show
from app.web.requests import takes_up_to

blueprint = Blueprint("uploads", __name__)

FORM_MEGABYTES = 64
"""What a plain form with files may have: several photos at once, from a browser without our script."""

UPLOAD = "/c/<slug>/uploads/<string(maxlength=64):upload>"


@blueprint.get("/c/<slug>/uploads")
@signed_in
def mine(slug: str) -> str:
    """我上传的文件: what one has sent in this competition and not handed in, to add to it or delete it."""
    return _page(slug, request.args.get("purpose", "proof"))


@blueprint.post("/c/<slug>/uploads")
@signed_in
@takes_up_to(FORM_MEGABYTES)
def begin(slug: str) -> Answer | tuple[str, int]:
    """Announce a file (JSON, from our script), or send whole files with a plain form."""
    if request.is_json:
        view = sending.announce(slug, **load(NewUploadSchema, request.get_json()))
        return _json(view, 201)
    wanted = request.form.get("purpose", "proof")
    try:
        purpose(wanted)
        if not sending.whole(slug, wanted, request.files.getlist("files")):
            raise refusals.NoFilesError(PURPOSES[wanted].accepted)
    except UnknownPurposeError:
        raise
    except SaishiError as refusal:
        return _page(slug, wanted, refusal), refusal.status
    flash(gettext("收到了，正在检查，一般只要几秒。"), "success")
    return redirect(url_for("uploads.mine", slug=slug, purpose=wanted), 303)


@blueprint.get(UPLOAD)
@signed_in
def see(slug: str, upload: str) -> Answer:
    """Where an upload stands."""
    return _json(sending.mine(upload))


@blueprint.patch(UPLOAD)
@signed_in
def send_piece(slug: str, upload: str) -> Answer:
    """One piece, at ``Upload-Offset``."""
    place = load(OffsetSchema, {"Upload-Offset": request.headers.get("Upload-Offset")})
    received = sending.receive(upload, place["upload_offset"], request.get_data())
    return Response(status=204, headers={"Upload-Offset": str(received)})


@blueprint.post(f"{UPLOAD}/finish")
@signed_in
def finish(slug: str, upload: str) -> Answer:
    """Every piece is here."""
    return _json(sending.finish(upload))


@blueprint.delete(UPLOAD)
@signed_in
def discard(slug: str, upload: str) -> Answer:
    """Delete what was sent."""
    sending.discard(upload)
    return Response(status=204)


@blueprint.post(f"{UPLOAD}/discard")
@signed_in
def discard_by_form(slug: str, upload: str) -> Answer:
    """The same from a page without our script."""
    wanted = sending.mine(upload).purpose
    sending.discard(upload)
    flash(gettext("已删除"), "success")
    return redirect(url_for("uploads.mine", slug=slug, purpose=wanted), 303)


@blueprint.get(f"{UPLOAD}/thumbnail")
@signed_in
def thumbnail(slug: str, upload: str) -> Answer:
    """The first page of one's own upload, small."""
    view = sending.mine(upload)
    return serve(queries.stored(view.id, FileRole.THUMBNAIL, 1), name="thumbnail")


def handed_in(slug: str, wanted: str, *, subject: str = "", kind: str = "") -> list[str]:
    """The tokens of the upload field in a form that was just sent: those it names, in order, then whole files.

    For the views of the features that show the field; they have ``takes_up_to(FORM_MEGABYTES)``. ``subject`` and ``kind``
    name the document whose own limits hold. Raises what refuses a file.
    """
    tokens = [token for token in request.form.getlist("upload") if token.strip()]
    return tokens + sending.whole(slug, wanted, request.files.getlist("files"), subject=subject, kind=kind)


def without_deleted(tokens: Sequence[str]) -> list[str] | None:
    """The other tokens, where the form was sent by the ✕ of a file, which is deleted; None where it was not.

    For forms that show the field with ``deletes_here``: without our script the rest of what was typed goes along.
    """
    unwanted = request.form.get("delete-upload")
    if not unwanted:
        return None
    sending.discard(unwanted)
    return [token for token in tokens if token != unwanted]


def field_values(slug: str, wanted: str, tokens: Sequence[str] = ()) -> dict[str, Any]:
    """What ``components/upload.html`` needs to show the field: the purpose, and the uploads it names already."""
    user_id = current_actor().require_signed_in()
    return {
        "slug": slug,
        "purpose": wanted,
        "rule": purpose(wanted),
        "uploads": queries.some_of_mine(user_id, tokens),
        "person": user_id,
        "texts": script_texts(),
    }


def _page(slug: str, wanted: str, refusal: SaishiError | None = None) -> str:
    competition = competitions.competition(slug)
    field = field_values(slug, wanted)
    field["uploads"] = queries.unclaimed(field["person"], competition.id, wanted)
    return render_template("uploads/mine.html", competition=competition, field=field, refusal=refusal)


def _json(view: UploadView, status: int = 200) -> Answer:
    answer = jsonify(upload_document(view, show))
    answer.status_code = status
    answer.headers["Upload-Offset"] = str(view.received)
    return answer
