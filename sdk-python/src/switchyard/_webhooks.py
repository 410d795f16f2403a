import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Literal, TypedDict, cast

from ._compat import NotRequired
from ._decimal_json import read_json, write_json
from ._generated.async_resources import AsyncWebhooksResource
from ._generated.events import EVENT_DECIMALS, KnownEvent
from ._generated.resources import WebhooksResource
from ._signatures import WebhookHeaders, sign_webhook, verified_body, verified_service_body

_NO_ORG = "00000000-0000-0000-0000-000000000000"


class UnknownEvent(TypedDict):
    """An event whose type is newer than this version of the SDK."""

    event_id: str
    event_type: Literal["unknown"]
    """A distinct literal, so that type checkers can narrow the other events by their type."""
    original_type: str
    """The type that was sent."""
    org_id: str
    created_at: str
    data: dict[str, object]


SwitchyardEvent = KnownEvent | UnknownEvent


class UnsignedEvent(TypedDict):
    """Creates an event for a test, with defaults for the fields that are left out."""

    event_type: str
    data: Mapping[str, object]
    event_id: NotRequired[str]
    org_id: NotRequired[str]
    created_at: NotRequired[str]


@dataclass(frozen=True)
class SignedWebhook:
    body: str
    headers: dict[str, str]


def construct_event(
    raw_body: bytes | str,
    headers: WebhookHeaders,
    secrets: str | Sequence[str],
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> SwitchyardEvent:
    """Verifies a delivery and returns its event, with amounts as `Decimal`. Pass the raw body:
    parsing and serialising JSON changes it. While a secret is rotated, pass both. `tolerance` is
    how far, in seconds, the timestamp can be from `now`."""
    return _event_of(verified_body(raw_body, headers, secrets, tolerance, now))


def verify_service_signature(
    raw_body: bytes | str, headers: WebhookHeaders, secret: str
) -> SwitchyardEvent:
    """Does the same with `X-Service-Signature`, which covers only the body: a replayed delivery
    passes, so deduplicate by `event_id`. During a rotation only the new secret signs it."""
    return _event_of(verified_service_body(raw_body, headers, secret))


def sign_test_webhook(
    event: UnsignedEvent, secret: str, *, at: float | None = None
) -> SignedWebhook:
    """Creates a delivery as the server would send it, to test a receiver."""
    moment = time.time() if at is None else at
    created = datetime.fromtimestamp(moment, timezone.utc).isoformat(timespec="milliseconds")
    event_id = event.get("event_id", str(uuid.uuid4()))
    whole = {
        "event_id": event_id,
        "event_type": event["event_type"],
        "org_id": event.get("org_id", _NO_ORG),
        "created_at": event.get("created_at", created.replace("+00:00", "Z")),
        "data": event["data"],
    }
    body = write_json(whole, EVENT_DECIMALS.get(event["event_type"], ()))
    return SignedWebhook(body, sign_webhook(event_id, body, secret, moment))


def _event_of(body: bytes) -> SwitchyardEvent:
    # The signature proves that Switchyard made it.
    event_type = cast(dict[str, str], read_json(body)).get("event_type", "")
    if event_type in EVENT_DECIMALS:
        return cast(KnownEvent, read_json(body, EVENT_DECIMALS[event_type]))
    event = cast(dict[str, object], read_json(body))
    return cast(UnknownEvent, {**event, "event_type": "unknown", "original_type": event_type})


class Webhooks(WebhooksResource):
    construct_event = staticmethod(construct_event)
    sign_test_webhook = staticmethod(sign_test_webhook)


class AsyncWebhooks(AsyncWebhooksResource):
    construct_event = staticmethod(construct_event)
    sign_test_webhook = staticmethod(sign_test_webhook)
