from __future__ import annotations

from typing import Any

from flask import Response, request

from app.uploads import sending
from app.uploads.rules import PURPOSES
from app.uploads.schemas import (
    NewUploadSchema,
    OffsetSchema,
    PurposeSchema,
    UploadSchema,
    purpose_documents,
    upload_document,
)
from app.web import public, signed_in
from app.web.api import ApiBlueprint
from app.web.i18n import show

blueprint = ApiBlueprint("uploads_api", __name__, description="上传 files on their way, in pieces")

BYTES = "application/octet-stream"
OFFSET = {
    "Upload-Offset": {"schema": {"type": "integer"}, "description": "bytes that are here without a gap"}
}
UPLOAD = "/uploads/<string(maxlength=64):upload>"


@blueprint.get("/uploads/purposes")
@public
@blueprint.response(200, PurposeSchema(many=True))
def purposes() -> list[dict[str, Any]]:
    """What may be sent for which purpose."""
    return purpose_documents(PURPOSES, show)


@blueprint.post("/competitions/<slug>/uploads")
@signed_in
@blueprint.arguments(NewUploadSchema)
@blueprint.response(201, UploadSchema, headers=OFFSET)
def begin(body: dict[str, Any], slug: str) -> Any:
    """Announce a file. The same key and content again gives the same upload, with the offset where to go on."""
    view = sending.announce(slug, **body)
    return upload_document(view, show), 201, {"Upload-Offset": view.received}


@blueprint.get(UPLOAD)
@signed_in
@blueprint.response(200, UploadSchema, headers=OFFSET)
def see(upload: str) -> Any:
    """Where an upload of one's own stands. HEAD gives the offset alone."""
    view = sending.mine(upload)
    return upload_document(view, show), 200, {"Upload-Offset": view.received}


@blueprint.patch(UPLOAD)
@signed_in
@blueprint.doc(
    requestBody={
        "required": True,
        "content": {BYTES: {"schema": {"type": "string", "format": "binary"}}},
    }
)
@blueprint.arguments(OffsetSchema, location="headers")
@blueprint.response(204, headers=OFFSET)
def send_piece(headers: dict[str, Any], upload: str) -> Any:
    """Send the piece that begins at ``Upload-Offset``: 64 KiB to 1 MiB, the last one may be shorter.

    A piece that is here already changes nothing. 409 with the ``offset`` that is expected, if there is a gap.
    """
    received = sending.receive(upload, headers["upload_offset"], request.get_data())
    return Response(status=204, headers={"Upload-Offset": str(received)})


@blueprint.post(f"{UPLOAD}/finish")
@signed_in
@blueprint.response(200, UploadSchema)
def finish(upload: str) -> dict[str, Any]:
    """Every piece is here: let it be checked. Safe to call again."""
    return upload_document(sending.finish(upload), show)


@blueprint.delete(UPLOAD)
@signed_in
@blueprint.response(204)
def discard(upload: str) -> None:
    """Delete an upload that no form has claimed."""
    sending.discard(upload)
