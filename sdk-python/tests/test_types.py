"""The types that a type checker infers. `mypy --strict` is the test; the calls are never made."""

from decimal import Decimal
from typing import Literal

from typing_extensions import assert_type

from switchyard import (
    ApiResponse,
    AsyncPages,
    AsyncSwitchyard,
    DecimalInput,
    Pages,
    Switchyard,
    SwitchyardEvent,
)
from switchyard.events import PaymentCompletedEvent
from switchyard.types import ChangeRequest, PaymentRecord, PaymentsInitiateBody, Transaction


def check_answers(sy: Switchyard, body: PaymentsInitiateBody) -> None:
    payment = sy.payments.get("p-1")
    assert_type(payment, PaymentRecord)
    assert_type(payment["amount"], Decimal)
    assert_type(payment["total_fees"], Decimal | None)
    assert_type(sy.payments.initiate(body)["payment_id"], str)
    assert_type(sy.transactions.list(status="failed"), Pages[Transaction])
    assert_type(sy.with_response(sy.payments.get, "p-1"), ApiResponse[PaymentRecord])
    held = sy.members.delete("o-1", "u-1")
    assert_type(held, ChangeRequest | None)
    is_new: bool = payment["status"] == "a_later_status"
    print(is_new)


async def check_async_answers(sy: AsyncSwitchyard) -> None:
    assert_type(await sy.payments.get("p-1"), PaymentRecord)
    assert_type(sy.transactions.list(), AsyncPages[Transaction])
    async for row in sy.transactions.list():
        assert_type(row["amount"], Decimal)
    got = await sy.with_response(sy.payments.get, "p-1")
    assert_type(got, ApiResponse[PaymentRecord])
    waited = await sy.payments.wait_for("p-1")
    assert_type(
        waited["outcome"],
        Literal["completed", "failed", "refunded", "rejected", "canceled", "unknown"],
    )


def check_arguments(sy: Switchyard, body: PaymentsInitiateBody) -> None:
    assert_type(body["amount"], DecimalInput)
    assert_type(body["direction"], Literal["payin", "payout"])
    body["direction"] = "sideways"  # type: ignore[typeddict-item]
    sy.payments.get()  # type: ignore[call-arg]
    sy.payments.get("p-1", idempotency_key="k")  # type: ignore[call-arg]
    sy.transactions.list().to_list()  # type: ignore[call-arg]


def check_events(event: SwitchyardEvent) -> None:
    if event["event_type"] == "payment.completed":
        assert_type(event, PaymentCompletedEvent)
        assert_type(event["data"]["payment_id"], str)
        assert_type(event["data"]["amount"], Decimal)
        assert_type(event["data"].get("test"), Literal[True] | None)
    elif event["event_type"] == "unknown":
        assert_type(event["original_type"], str)


def test_every_resource_has_the_same_methods_in_both_clients() -> None:
    async_sy = AsyncSwitchyard("https://pay.example.com", api_key="k")
    with Switchyard("https://pay.example.com", api_key="k") as sy:
        resources = [name for name in vars(sy) if not name.startswith("_")]
        assert len(resources) > 30
        for name in resources:
            own, other = getattr(sy, name), getattr(async_sy, name)
            assert _methods(own) == _methods(other) != []


def _methods(resource: object) -> list[str]:
    return [name for name in dir(resource) if not name.startswith("_")]
