"""The code that both clients share. Every function is a coroutine. For the blocking client, I/O
never awaits, so `run_blocking` can run each coroutine to its end."""

import secrets
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar, cast

import httpx

from ._credentials import sendable
from ._csv_file import CsvFile
from ._decimal_json import read_json, write_json
from ._error_of import error_of
from ._errors import ApiError, ConnectionError
from ._operation import Input, Operation, target_of
from ._options import Log, LogEntry
from ._outcome import final_error, may_have_arrived
from ._response import capture, request_id_of
from ._retry import Progress, parse_retry_after, retry_delay
from ._version import __version__

Data = TypeVar("Data")
Row = TypeVar("Row")

JSON = "application/json"
CSV = "text/csv"


class Io(Protocol):
    """How a client sends, reads and waits: blocking or asynchronously."""

    async def send(self, request: httpx.Request) -> httpx.Response: ...
    async def read(self, response: httpx.Response) -> None: ...
    async def sleep(self, seconds: float) -> None: ...


@dataclass(frozen=True)
class Page(Generic[Row]):
    data: list[Row]
    cursor: str | None
    """Where the next page starts; None on the last page."""


@dataclass(frozen=True)
class Settings:
    base_url: str
    credentials: Callable[[], Awaitable[dict[str, str]]]
    timeout: float
    max_retries: int
    log: Log
    now: Callable[[], float]
    random: Callable[[], float]

    def __repr__(self) -> str:
        return f"Settings(base_url={self.base_url!r})"


@dataclass(frozen=True)
class _Request:
    operation: Operation[object]
    target: str
    accept: str
    content_type: str | None
    content: str | None
    idempotency_key: str | None
    timeout: float


class Core:
    """Sends and retries requests."""

    def __init__(self, settings: Settings, io: Io) -> None:
        self.settings = settings
        self.io = io

    async def read_data(self, operation: Operation[Data], given: Input) -> Data:
        response = await self.send(operation, given, JSON)
        body = read_json(response.content, operation.receives) if response.content else None
        data = body if operation.envelope is None else _field(body, operation.envelope)
        return cast(Data, data)  # the OpenAPI document describes it

    async def read_page(
        self, operation: Operation[Row], given: Input, cursor: str | None
    ) -> Page[Row]:
        if cursor is not None:
            given = replace(given, query={**given.query, operation.cursor or "": cursor})
        response = await self.send(operation, given, JSON)
        body = read_json(response.content, operation.receives)
        rows = _field(body, operation.envelope or "")
        after = _field(_field(body, "meta"), operation.cursor or "")
        # The OpenAPI document describes the rows.
        return Page(cast(list[Row], rows), after if isinstance(after, str) else None)

    async def send(self, operation: Operation[Data], given: Input, accept: str) -> httpx.Response:
        """Returns the response, already read unless it is streamed as CSV."""
        request = self._request(operation, given, accept)
        progress = Progress(_or(given.options.max_retries, self.settings.max_retries))
        has_arrived = False
        while True:
            result = await self._attempt(request, progress)
            if isinstance(result, httpx.Response):
                capture(result)
                return result
            delay = retry_delay(result, progress, self.settings.random)
            if delay is None:
                key = request.idempotency_key
                raise final_error(operation.id, operation.method, key, result, has_arrived)
            has_arrived = has_arrived or may_have_arrived(result)
            progress.count(result, delay)
            await self.io.sleep(delay)

    def _request(self, operation: Operation[Data], given: Input, accept: str) -> _Request:
        body, options = given.body, given.options
        content = content_type = key = None
        if isinstance(body, CsvFile):
            content, content_type = body.content, CSV
        elif body is not None:
            content, content_type = write_json(body, operation.sends), JSON
        if operation.method == "POST":
            key = _or(options.idempotency_key, secrets.token_hex(16))
            sendable(key, "idempotency_key")
        return _Request(
            operation=cast(Operation[object], operation),  # only the type of its data differs
            target=target_of(operation, given),
            accept=accept,
            content_type=content_type,
            content=content,
            idempotency_key=key,
            timeout=_or(options.timeout, self.settings.timeout),
        )

    async def _attempt(
        self, request: _Request, progress: Progress
    ) -> httpx.Response | ApiError | ConnectionError:
        # No variable holds the headers, because error reporters print local variables.
        message = httpx.Request(
            request.operation.method,
            f"{self.settings.base_url}{request.target}",
            headers={**_plain_headers(request), **(await self.settings.credentials())},
            content=request.content,
            extensions={"timeout": httpx.Timeout(request.timeout).as_dict()},
        )
        started_at = self.settings.now()
        response: httpx.Response | None = None
        try:
            response = await self.io.send(message)
            if not (response.is_success and request.accept == CSV):
                await self.io.read(response)
            if response.is_success:
                return response
            after = parse_retry_after(response.headers.get("retry-after"), self.settings.now())
            return error_of(response.status_code, response.content, request_id_of(response), after)
        except httpx.RequestError as cause:
            return no_answer(self.settings.base_url, cause)
        finally:
            self.settings.log(
                LogEntry(
                    operation=request.operation.id,
                    method=request.operation.method,
                    path=request.target,
                    attempt=progress.retries + progress.waits + 1,
                    status=response.status_code if response else None,
                    request_id=request_id_of(response) if response else None,
                    seconds=self.settings.now() - started_at,
                )
            )


def run_blocking(coroutine: Coroutine[object, None, Data]) -> Data:
    """Runs a coroutine whose I/O blocks, so it finishes without an event loop."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return cast(Data, stop.value)  # what the coroutine returns
    coroutine.close()
    raise RuntimeError("the blocking client was given an awaitable that suspends")


def base_url_of(text: str) -> str:
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host or url.userinfo or url.query:
        raise ValueError("base_url must be an http or https URL without credentials or a query")
    return str(url.copy_with(fragment=None)).rstrip("/")


def no_answer(base_url: str, cause: httpx.RequestError) -> ConnectionError:
    is_timeout = isinstance(cause, httpx.TimeoutException)
    reason = "timeout" if is_timeout else str(cause) or type(cause).__name__
    error = ConnectionError(f"No response from {base_url}: {reason}")
    error.__cause__ = _without_frames(cause)
    return error


def _without_frames(error: BaseException) -> BaseException:
    """Drops the HTTP client's frames, because their variables hold the headers with the key."""
    inner: BaseException | None = error
    while inner is not None:
        inner.__traceback__ = None
        inner = inner.__cause__ or inner.__context__
    return error


def _plain_headers(request: _Request) -> dict[str, str]:
    headers = {
        "accept": request.accept,
        "accept-encoding": "gzip, deflate",
        "user-agent": f"switchyard-python/{__version__}",
    }
    if request.content_type is not None:
        headers["content-type"] = request.content_type
    if request.idempotency_key is not None:
        headers["idempotency-key"] = request.idempotency_key
    return headers


def _or(given: Data | None, usual: Data) -> Data:
    return usual if given is None else given


def _field(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None
