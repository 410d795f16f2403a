from typing import cast

from ._decimal_json import read_json
from ._errors import ApiError, ErrorDetail, ErrorInfo, ProviderFailure
from ._generated.errors import CODE_BY_STATUS, ERROR_CLASSES


def error_of(
    status: int, content: bytes, request_id: str | None, retry_after: float | None
) -> ApiError:
    """Creates the error of a response, in the class of its code."""
    body = _body_of(content)
    code = None if body is None else _text(body.get("code")) or CODE_BY_STATUS.get(status)
    body = body or {}
    details = body.get("details")
    failure = body.get("failure")
    info = ErrorInfo(
        status=status,
        message=_text(body.get("message")) or _unreadable(status),
        code=code,
        details=cast(list[ErrorDetail], details) if isinstance(details, list) else (),
        request_id=_text(body.get("request_id")) or request_id,
        payment_id=_text(body.get("payment_id")),
        failure=cast(ProviderFailure, failure) if isinstance(failure, dict) else None,
        retry_after=retry_after,
    )
    return ERROR_CLASSES.get(code or "", ApiError)(info)


def _body_of(content: bytes) -> dict[str, object] | None:
    try:
        body = read_json(content)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) and "message" in body else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _unreadable(status: int) -> str:
    if status < 400:
        return "The server redirected the request, which is not followed. Check base_url."
    return f"Status {status} without an error of Switchyard, probably from a proxy in front of it."
