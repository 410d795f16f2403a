import httpx

from ._errors import ApiError, ConnectionError, OutcomeUnknown
from ._retry import IN_PROGRESS_CODE

_READING_METHODS = ("GET", "HEAD")
_INTERNAL_CODE = "INTERNAL_ERROR"
# With these errors, the connection was never made, so nothing was sent.
_NOT_SENT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
)
# The server sends these before it looks up the key, so they reveal nothing of an earlier attempt.
_EARLY_STATUSES = (401, 403, 429, 500, 503)


def may_have_arrived(error: ApiError | ConnectionError) -> bool:
    """Whether an attempt may have been carried out although it got no definite response."""
    if isinstance(error, ConnectionError):
        return not isinstance(error.__cause__, _NOT_SENT)
    if error.code == IN_PROGRESS_CODE:
        return True
    return error.status >= 500 and error.code in (None, _INTERNAL_CODE)


def final_error(
    operation_id: str,
    method: str,
    idempotency_key: str | None,
    error: ApiError | ConnectionError,
    has_earlier_arrived: bool,
) -> ApiError | ConnectionError | OutcomeUnknown:
    """The error for the caller: a write failed only if no attempt can have been carried out."""
    if method in _READING_METHODS:
        return error
    is_early = isinstance(error, ConnectionError) or error.status in _EARLY_STATUSES
    if not (has_earlier_arrived and is_early) and not may_have_arrived(error):
        return error
    unknown = OutcomeUnknown(
        f"It is not known whether {operation_id} was carried out: {error}", idempotency_key
    )
    unknown.__cause__ = error
    return unknown
