import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from switchyard import (
    Switchyard,
    WebhookVerificationError,
    construct_event,
    sign_test_webhook,
    verify_service_signature,
)

VECTORS: list[Any] = json.loads((Path(__file__).parent / "webhook-vectors.json").read_text())
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
AT = 1_614_265_330.0
GENUINE = VECTORS[0]


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_a_delivery_is_judged_as_by_the_other_sdk(vector: Any) -> None:
    def verdict(body: bytes | str) -> str:
        try:
            construct_event(
                body,
                vector["headers"],
                vector["secrets"],
                now=vector["now"],
                tolerance=vector["tolerance"],
            )
        except WebhookVerificationError as error:
            return str(error)
        return "accepted"

    assert verdict(vector["body"]) == vector["verdict"]
    assert verdict(vector["body"].encode()) == vector["verdict"]


def test_the_event_has_decimals_and_other_numbers_as_they_are() -> None:
    with Switchyard("https://pay.example.com", api_key="k") as sy:
        event = sy.webhooks.construct_event(GENUINE["body"], GENUINE["headers"], SECRET, now=AT)
    assert event["event_type"] == "payment.completed"
    assert event["data"]["amount"] == Decimal("1500.10")
    assert str(event["data"]["amount"]) == "1500.10"
    assert event["data"]["sequence"] == 3


def test_any_changed_byte_is_refused_by_both_signatures() -> None:
    raw = GENUINE["body"].encode()
    for index in range(len(raw)):
        changed = raw[:index] + bytes([raw[index] ^ 1]) + raw[index + 1 :]
        with pytest.raises(WebhookVerificationError, match="does not match"):
            construct_event(changed, GENUINE["headers"], SECRET, now=AT)
        with pytest.raises(WebhookVerificationError, match="does not match"):
            verify_service_signature(changed, GENUINE["headers"], SECRET)
    assert verify_service_signature(raw, GENUINE["headers"], SECRET)["event_id"] == "e-1"


@pytest.mark.parametrize("value", ["zz", "00", "é"])
def test_a_malformed_service_signature_is_refused(value: str) -> None:
    with pytest.raises(WebhookVerificationError, match="does not match"):
        verify_service_signature(GENUINE["body"], {"x-service-signature": value}, SECRET)
    with pytest.raises(WebhookVerificationError, match="no x-service-signature"):
        verify_service_signature(GENUINE["body"], {}, SECRET)


def test_an_event_that_is_newer_than_this_version_is_passed_on() -> None:
    signed = sign_test_webhook(
        {
            "event_id": "e-1",
            "event_type": "moon.landed",
            "data": {"amount": Decimal("1500.00"), "count": 2},
        },
        SECRET,
        at=AT,
    )
    assert construct_event(signed.body, signed.headers, SECRET, now=AT) == {
        "event_id": "e-1",
        "event_type": "unknown",
        "original_type": "moon.landed",
        "org_id": "00000000-0000-0000-0000-000000000000",
        "created_at": "2021-02-25T15:02:10.000Z",
        "data": {"amount": Decimal("1500.00"), "count": 2},
    }


def test_an_empty_secret_is_a_mistake_of_the_receiver() -> None:
    with pytest.raises(ValueError, match="empty or not in base64"):
        construct_event(GENUINE["body"], GENUINE["headers"], "whsec_", now=AT)


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.none()))
def test_any_event_is_signed_and_verified(data: dict[str, object]) -> None:
    signed = sign_test_webhook({"event_type": "a.new_one", "data": data}, SECRET)
    assert construct_event(signed.body, signed.headers, SECRET)["data"] == data
    assert verify_service_signature(signed.body, signed.headers, SECRET)["data"] == data


def test_sign_test_webhook_signs_as_the_server_does() -> None:
    event = json.loads(GENUINE["body"], parse_float=Decimal)
    signed = sign_test_webhook(event, SECRET, at=AT)
    assert signed.body == GENUINE["body"]
    assert signed.headers == {"content-type": "application/json", **GENUINE["headers"]}
