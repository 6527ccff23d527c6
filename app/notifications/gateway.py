"""The organiser's SMS gateway: any HTTP address that takes a POST of ``{"message_id", "phone", "text"}`` as JSON and answers 2xx.

A ``user:password@`` in the address is sent as Basic authorisation. A redirection is no acceptance, and is not followed: what it
leads to would get the password, and a page that somebody reads instead of taking the message.
"""

from __future__ import annotations

import base64
import http.client
import json
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

from app.notifications.rules import Outgoing, Refusal
from app.notifications.smtp import DeliveryError
from app.notifications.timekeeping import Timekeeper


def post(address: str, message: Outgoing, *, patience: float, within: float) -> None:
    """Hand one text message to the gateway. Raises ``DeliveryError``, and nothing else.

    ``patience`` and ``within`` in seconds, as for mail. Silence once it was asked is uncertain: it may have taken the message, and
    knows a repeat by its ``message_id``.
    """
    with Timekeeper(within) as timekeeper:
        try:
            opener = urllib.request.build_opener(_Stay, _Plain(timekeeper), _Secure(timekeeper))
            with opener.open(_request(address, message), timeout=patience):
                pass
        except urllib.error.HTTPError as error:
            error.close()
            raise DeliveryError(Refusal(f"HTTP {error.code}")) from error
        except urllib.error.URLError as error:  # before anything was asked
            cause = error.reason if isinstance(error.reason, Exception) else error
            raise DeliveryError(Refusal(type(cause).__name__)) from error
        except (OSError, http.client.HTTPException) as error:
            raise DeliveryError(Refusal(type(error).__name__, uncertain=True)) from error
        except (
            Exception
        ) as error:  # an address that is none: else it would be tried for ever, as if it had left
            raise DeliveryError(Refusal(type(error).__name__)) from error


def _request(address: str, message: Outgoing) -> urllib.request.Request:
    parts = urlsplit(address)
    bare = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, parts.query, ""))
    body = {"message_id": message.message_id, "phone": message.recipient, "text": message.body}
    request = urllib.request.Request(  # noqa: S310 - the settings allow http and https only
        bare,
        data=json.dumps(body, ensure_ascii=False).encode(),
        headers={"Content-Type": "application/json; charset=utf-8"},
        method="POST",
    )
    if parts.username:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        request.add_header("Authorization", "Basic " + base64.b64encode(pair.encode()).decode())
    return request


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Nowhere: the answer stands as it came."""


class _Plain(urllib.request.HTTPHandler):
    def __init__(self, timekeeper: Timekeeper) -> None:
        super().__init__()
        self._timekeeper = timekeeper

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        def connection(host: str, **options: Any) -> http.client.HTTPConnection:
            return _watched(http.client.HTTPConnection(host, **options), self._timekeeper)

        return self.do_open(connection, req)


class _Secure(urllib.request.HTTPSHandler):
    def __init__(self, timekeeper: Timekeeper) -> None:
        super().__init__()
        self._timekeeper = timekeeper

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        def connection(host: str, **options: Any) -> http.client.HTTPConnection:
            return _watched(http.client.HTTPSConnection(host, **options), self._timekeeper)

        return self.do_open(connection, req)


def _watched(connection: http.client.HTTPConnection, timekeeper: Timekeeper) -> http.client.HTTPConnection:
    def create(place: tuple[str, int], timeout: float, *_: Any) -> Any:
        return timekeeper.connect(*place, timeout)

    connection._create_connection = create  # type: ignore[attr-defined]  # where http.client makes its socket, TLS and proxies included
    return connection
