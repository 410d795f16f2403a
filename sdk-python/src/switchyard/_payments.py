from collections.abc import Awaitable, Callable
from typing import Literal, cast

from ._core import run_blocking
from ._errors import ApiError, ConnectionError
from ._generated.async_resources import AsyncPaymentsResource
from ._generated.resources import PaymentsResource
from ._generated.types import PaymentRecord

EndStatus = Literal["completed", "failed", "refunded", "rejected", "canceled"]
_END_STATUSES: tuple[EndStatus, ...] = ("completed", "failed", "refunded", "rejected", "canceled")
_FIRST_POLL = 0.5
_LONGEST_POLL = 5.0
_POLL_GROWTH = 1.5
_OUTAGE_STATUSES = (429, 503)


class WaitedPayment(PaymentRecord):
    outcome: EndStatus | Literal["unknown"]
    """`unknown` means that the payment is still open. It has not failed; do not send it again."""


class Payments(PaymentsResource):
    def wait_for(self, payment_id: str, *, timeout: float = 60.0) -> WaitedPayment:
        """Polls a payment until it has ended or the timeout, in seconds, has passed."""
        runtime = self._transport.runtime

        async def read() -> PaymentRecord:
            return self.get(payment_id)

        async def sleep(seconds: float) -> None:
            runtime.sleep(seconds)

        return run_blocking(_wait_for(read, runtime.now, sleep, timeout))


class AsyncPayments(AsyncPaymentsResource):
    async def wait_for(self, payment_id: str, *, timeout: float = 60.0) -> WaitedPayment:
        """Polls a payment until it has ended or the timeout, in seconds, has passed."""
        runtime = self._transport.runtime
        return await _wait_for(lambda: self.get(payment_id), runtime.now, runtime.sleep, timeout)


async def _wait_for(
    read: Callable[[], Awaitable[PaymentRecord]],
    now: Callable[[], float],
    sleep: Callable[[float], Awaitable[None]],
    timeout: float,
) -> WaitedPayment:
    ends_at = now() + timeout
    poll = _FIRST_POLL
    last: PaymentRecord | None = None
    while True:
        try:
            last = await read()
        except (ConnectionError, ApiError) as error:
            # Keep polling during an outage; before the first response there is nothing to return.
            is_outage = isinstance(error, ConnectionError) or error.status in _OUTAGE_STATUSES
            if not is_outage or last is None:
                raise
        outcome = next((one for one in _END_STATUSES if one == last["status"]), None)
        if outcome is not None or now() >= ends_at:
            return cast(WaitedPayment, {**last, "outcome": outcome or "unknown"})
        await sleep(min(poll, max(0.0, ends_at - now())))
        poll = min(poll * _POLL_GROWTH, _LONGEST_POLL)
