import builtins
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict


class ErrorDetail(TypedDict):
    path: str
    message: str


class ProviderFailure(TypedDict):
    code: str
    message: str


@dataclass(frozen=True)
class ErrorInfo:
    """What an answer says about a failure."""

    status: int
    message: str
    code: str | None = None
    details: Sequence[ErrorDetail] = ()
    request_id: str | None = None
    payment_id: str | None = None
    failure: ProviderFailure | None = None
    retry_after: float | None = None


class SwitchyardError(Exception):
    """Every error of this package except ValueError and TypeError, for wrong arguments."""


class ApiError(SwitchyardError):
    """The server answered with an error. Each code has a class of its own."""

    def __init__(self, info: ErrorInfo) -> None:
        super().__init__(info.message)
        self.info = info
        self.status = info.status
        self.message = info.message
        self.code = info.code
        """None if the answer did not come from Switchyard but from a proxy in front of it."""
        self.details = info.details
        self.request_id = info.request_id
        """Quote it to support."""
        self.payment_id = info.payment_id
        """The payment that the error is about, if it exists."""
        self.failure = info.failure
        """The last definite refusal of a provider."""
        self.retry_after = info.retry_after
        """In seconds."""

    def __str__(self) -> str:
        named = f"{self.code}: " if self.code is not None else ""
        quoted = f" (request {self.request_id})" if self.request_id is not None else ""
        return f"{named}{self.message}{quoted}"

    def __reduce__(self) -> tuple[type["ApiError"], tuple[ErrorInfo]]:
        return type(self), (self.info,)


class ConnectionError(SwitchyardError, builtins.ConnectionError):
    """No connection, and the request changed nothing: it was never sent, or it only reads."""


class OutcomeUnknown(SwitchyardError):
    """Nobody knows whether the request was carried out. It has not failed: look the resource up, or
    repeat the call with the same idempotency key, which never does it twice."""

    def __init__(self, message: str, idempotency_key: str | None) -> None:
        super().__init__(message)
        self.message = message
        self.idempotency_key = idempotency_key
        """The key of a POST; other methods can be repeated without one."""

    def __reduce__(self) -> tuple[type["OutcomeUnknown"], tuple[str, str | None]]:
        return type(self), (self.message, self.idempotency_key)


class WebhookVerificationError(SwitchyardError):
    """The request is not a genuine, recent delivery. Respond to it with 400."""
