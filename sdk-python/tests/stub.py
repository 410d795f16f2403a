"""Both clients with canned replies instead of a server, a fake clock and fake randomness."""

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx

from switchyard import AsyncRuntime, AsyncSwitchyard, LogEntry, Runtime, Switchyard

PLANTED_KEY = "sy_test_planted0000000000000000"
BASE_URL = "https://pay.example.com"
PAYMENT = {"payment_id": "p-1", "status": "processing"}
Reply = httpx.Response | Exception
Result = TypeVar("Result")

BODY: Any = {
    "amount": "1500.00",
    "target_amount": 1500,
    "currency": "NGN",
    "target_currency": "NGN",
    "payment_method": "card",
    "direction": "payin",
}


def answer(
    body: object, status: int = 200, headers: dict[str, str] | None = None
) -> httpx.Response:
    content = body if isinstance(body, str) else json.dumps(body)
    usual = {"content-type": "application/json", "x-request-id": "request-1"}
    return httpx.Response(status, content=content, headers={**usual, **(headers or {})})


def refusal(status: int, code: str, headers: dict[str, str] | None = None) -> httpx.Response:
    body = {"message": f"It says {code}.", "code": code, "request_id": "request-1"}
    return answer({"status": "error", **body}, status, headers)


def initiated() -> httpx.Response:
    return answer(
        '{"statusCode":200,"response":{"payment_id":"p-1","payment_data":{"amount":1500.00}}}'
    )


def lost() -> Exception:
    return httpx.ReadError("Connection reset by peer")


def refused() -> Exception:
    return httpx.ConnectError("Connection refused")


@dataclass
class Stub:
    """One of the two clients; `call` runs the test's code with it."""

    client: Any
    sent: list[httpx.Request] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    log: list[LogEntry] = field(default_factory=list)

    def call(self, use: Callable[[Any], Any]) -> Any:
        async def awaited() -> Any:
            result = use(self.client)
            return await result if inspect.isawaitable(result) else result

        if isinstance(self.client, AsyncSwitchyard):
            return asyncio.run(awaited())
        return use(self.client)

    def error(self, use: Callable[[Any], Any]) -> Any:
        """Returns the error of a call that is expected to fail."""
        try:
            result = self.call(use)
        except Exception as error:
            return error
        raise AssertionError(f"it returned {result!r}")

    def rows(self, pages: Callable[[Any], Any]) -> list[Any]:
        """Returns every row of a list."""

        async def collect() -> list[Any]:
            return [row async for row in pages(self.client)]

        if isinstance(self.client, AsyncSwitchyard):
            return asyncio.run(collect())
        return list(pages(self.client))


Make = Callable[..., Stub]


class _Body(httpx.AsyncByteStream, httpx.SyncByteStream):
    """A body that can be read once, like that of a connection."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __iter__(self) -> Any:
        yield self._content

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._content


def make_stub(flavour: str, replies: Iterable[Reply], random: float = 0.5, **options: Any) -> Stub:
    waiting = list(replies)
    stub = Stub(client=None)
    now = 0.0

    def reply_to(request: httpx.Request) -> httpx.Response:
        stub.sent.append(request)
        if not waiting:
            raise AssertionError("the test has no further reply")
        reply = waiting.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return httpx.Response(reply.status_code, headers=reply.headers, stream=_Body(reply.content))

    async def async_reply_to(request: httpx.Request) -> httpx.Response:
        return reply_to(request)

    def sleep(seconds: float) -> None:
        nonlocal now
        stub.delays.append(seconds)
        now += seconds

    async def async_sleep(seconds: float) -> None:
        sleep(seconds)

    settings: dict[str, Any] = {"api_key": PLANTED_KEY, "log": stub.log.append, **options}
    if flavour == "async":
        stub.client = AsyncSwitchyard(
            BASE_URL,
            transport=httpx.MockTransport(async_reply_to),
            runtime=AsyncRuntime(lambda: now, lambda: random, async_sleep),
            **settings,
        )
    else:
        stub.client = Switchyard(
            BASE_URL,
            transport=httpx.MockTransport(reply_to),
            runtime=Runtime(lambda: now, lambda: random, sleep),
            **settings,
        )
    return stub
