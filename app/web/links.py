"""Addresses that leave the site (in QR codes and messages) and the QR codes themselves."""

from __future__ import annotations

import io
from typing import Any
from urllib.parse import urlsplit

import qrcode
from flask import current_app, request, url_for
from qrcode.constants import ERROR_CORRECT_M
from qrcode.image.svg import SvgPathImage

from app import network


def external_url(endpoint: str, **values: Any) -> str:
    """The full address of a page: under ``SAISHI_BASE_URL``, or the host this request came to.

    A request to the machine itself (``localhost``) gives the machine's address in its network, so that a poster
    opened on the desk's computer still leads phones here.
    """
    return (current_app.config["SAISHI"].base_url or _site()) + url_for(endpoint, **values)


def _site() -> str:
    came_to = urlsplit(request.host_url)
    if not network.is_loopback(came_to.hostname or ""):
        return request.host_url.rstrip("/")
    host = network.hall_host(current_app.config["SAISHI"].host)
    if host is None:
        return request.host_url.rstrip("/")
    port = came_to.netloc.rpartition("]")[2].partition(":")[2]
    return f"{came_to.scheme}://{host}" + (f":{port}" if port else "")


def only_here(address: str) -> bool:
    """Whether only this machine can open ``address``: on a poster it would lead nowhere."""
    return network.is_loopback(urlsplit(address).hostname or "")


def _code(address: str) -> qrcode.QRCode:
    # M corrects 15 % of damage and keeps the modules of our addresses ≥ 0.7 mm at 3 cm, as phones need
    code = qrcode.QRCode(error_correction=ERROR_CORRECT_M, border=4, box_size=12)
    code.add_data(address)
    code.make(fit=True)
    return code


def qr_svg(address: str) -> bytes:
    """A QR code as an SVG picture that scales to any size, quiet zone included."""
    picture = io.BytesIO()
    _code(address).make_image(image_factory=SvgPathImage).save(picture)
    return picture.getvalue()


def qr_png(address: str) -> bytes:
    """A QR code as a PNG of 12 pixels a module: 3 cm wide at 300 dpi and more."""
    picture = io.BytesIO()
    _code(address).make_image().save(picture, "PNG")
    return picture.getvalue()
