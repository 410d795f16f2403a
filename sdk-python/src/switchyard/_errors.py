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
    """The details of a failure in a response."""

    status: int
    message: str
    code: str | None = None
    details: Sequence[ErrorDetail] = ()
    request_id: str | None = None
    payment_id: str | None = None
    failure: ProviderFailure | None = None
    retry_after: float | None = None


class SwitchyardError(Exception):
    """The base of the SDK's errors. Invalid arguments raise ValueError or TypeError instead."""


class ApiError(SwitchyardError):
    """The server responded with an error. Each code has its own class."""

    def __init__(self, info: ErrorInfo) -> None:
        super().__init__(info.message)
        self.info = info
        self.status = info.status
        self.message = info.message
        self.code = info.code
        """None if the response came from a proxy in front of Switchyard."""
        self.details = info.details
        self.request_id = info.request_id
        """Include this id when you contact support."""
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
    """The connection failed and nothing changed: the request was never sent, or it only reads."""


class OutcomeUnknown(SwitchyardError):
    """It is not known whether the request was carried out. It may have succeeded: look the resource
    up, or repeat the call with the same idempotency key, which never carries it out twice."""

    def __init__(self, message: str, idempotency_key: str | None) -> None:
        super().__init__(message)
        self.message = message
        self.idempotency_key = idempotency_key
        """The idempotency key of a POST; other methods can be repeated without one."""

    def __reduce__(self) -> tuple[type["OutcomeUnknown"], tuple[str, str | None]]:
        return type(self), (self.message, self.idempotency_key)


class WebhookVerificationError(SwitchyardError):
    """The request is not a genuine and recent delivery. Respond with 400."""
