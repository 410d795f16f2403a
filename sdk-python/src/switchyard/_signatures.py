import base64
import binascii
import hmac
import re
import time
from collections.abc import Mapping, Sequence

from ._errors import WebhookVerificationError

_SECRET_PREFIX = "whsec_"  # noqa: S105 (not a secret)
_VERSION = "v1,"

WebhookHeaders = Mapping[str, str]
"""A request's headers, case-insensitive: a dict, or those of Django, Flask and Starlette."""


def verified_body(
    raw_body: bytes | str,
    headers: WebhookHeaders,
    secrets: str | Sequence[str],
    tolerance: float,
    now: float | None,
) -> bytes:
    """Returns the bytes of a genuine delivery, signed with any of the secrets."""
    body = _bytes_of(raw_body)
    event_id = _required(headers, "webhook-id")
    timestamp = _required(headers, "webhook-timestamp")
    signatures = _required(headers, "webhook-signature")
    _demand_recent(timestamp, tolerance, time.time() if now is None else now)
    given = [
        _from_base64(one.removeprefix(_VERSION))
        for one in signatures.split(" ")
        if one.startswith(_VERSION)
    ]
    prefix = f"{event_id}.{timestamp}.".encode()
    expected = [
        _standard_digest(secret, prefix + body)
        for secret in ([secrets] if isinstance(secrets, str) else secrets)
    ]
    if not any(hmac.compare_digest(one, digest) for one in given for digest in expected):
        raise WebhookVerificationError("the signature does not match")
    return body


def verified_service_body(raw_body: bytes | str, headers: WebhookHeaders, secret: str) -> bytes:
    body = _bytes_of(raw_body)
    given = _from_hex(_required(headers, "x-service-signature"))
    if not hmac.compare_digest(given, _service_digest(secret, body)):
        raise WebhookVerificationError("the signature does not match")
    return body


def sign_webhook(event_id: str, body: str, secret: str, at: float) -> dict[str, str]:
    """Returns the headers with which the server would send this body."""
    raw = body.encode()
    timestamp = str(int(at))
    standard = _standard_digest(secret, f"{event_id}.{timestamp}.".encode() + raw)
    return {
        "content-type": "application/json",
        "x-service-signature": _service_digest(secret, raw).hex(),
        "x-service-event-id": event_id,
        "x-service-timestamp": timestamp,
        "x-service-attempt": "1",
        "webhook-id": event_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"{_VERSION}{base64.b64encode(standard).decode()}",
    }


def _standard_digest(secret: str, content: bytes) -> bytes:
    key = _from_base64(secret.removeprefix(_SECRET_PREFIX))
    if not key:
        raise ValueError("the secret is empty or not in base64")
    return hmac.digest(key, content, "sha256")


def _service_digest(secret: str, body: bytes) -> bytes:
    return hmac.digest(secret.encode(), body, "sha256")


def _demand_recent(timestamp: str, tolerance: float, now: float) -> None:
    if not re.fullmatch(r"[0-9]{1,15}", timestamp) or abs(now - int(timestamp)) > tolerance:
        raise WebhookVerificationError("the timestamp is too far from now")


def _bytes_of(raw: bytes | str) -> bytes:
    return raw.encode() if isinstance(raw, str) else bytes(raw)


def _from_base64(text: str) -> bytes:
    """Empty if the text is not base64, so that it matches no digest."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _from_hex(text: str) -> bytes:
    return bytes.fromhex(text) if re.fullmatch(r"(?:[0-9a-fA-F]{2})*", text) else b""


def _required(headers: WebhookHeaders, name: str) -> str:
    value = headers.get(name)
    if value is None:
        value = next((one for key, one in headers.items() if key.lower() == name), None)
    if not isinstance(value, str) or value == "":
        raise WebhookVerificationError(f"there is no {name} header")
    return value
