from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Generic, TypeVar

import httpx

Data = TypeVar("Data")


@dataclass(frozen=True)
class ApiResponse(Generic[Data]):
    data: Data
    status: int
    headers: httpx.Headers
    request_id: str | None


_captured: ContextVar[list[httpx.Response] | None] = ContextVar("captured", default=None)


@contextmanager
def capturing() -> Iterator[list[httpx.Response]]:
    """Collects the responses of calls made inside the block, by this thread or task only."""
    seen: list[httpx.Response] = []
    token = _captured.set(seen)
    try:
        yield seen
    finally:
        _captured.reset(token)


def capture(response: httpx.Response) -> None:
    seen = _captured.get()
    if seen is not None:
        seen.append(response)


def response_of(data: Data, seen: list[httpx.Response]) -> ApiResponse[Data]:
    if not seen:
        raise TypeError("the method made no request; for a list, pass its `first_page`")
    last = seen[-1]
    return ApiResponse(data, last.status_code, last.headers, request_id_of(last))


def request_id_of(response: httpx.Response) -> str | None:
    value: str | None = response.headers.get("x-request-id")
    return value
