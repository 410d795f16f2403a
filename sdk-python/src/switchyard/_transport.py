from typing import TypeVar

import httpx

from ._core import CSV, Core, Settings, run_blocking
from ._operation import Input, Operation
from ._options import AsyncRuntime, Runtime
from ._pages import AsyncCsvStream, AsyncPages, CsvStream, Pages

Data = TypeVar("Data")
Row = TypeVar("Row")


class Transport:
    """The blocking transport."""

    def __init__(
        self, settings: Settings, runtime: Runtime, transport: httpx.BaseTransport | None
    ) -> None:
        # A redirect would send the API key to another host.
        self._http = httpx.Client(transport=transport, follow_redirects=False)
        self.runtime = runtime
        self.core = Core(settings, _BlockingIo(self._http, runtime))

    def call(self, operation: Operation[Data], given: Input) -> Data:
        return run_blocking(self.core.read_data(operation, given))

    def pages(self, operation: Operation[Row], given: Input) -> Pages[Row]:
        return Pages(self.core, operation, given)

    def stream(self, operation: Operation[CsvStream], given: Input) -> CsvStream:
        response = run_blocking(self.core.send(operation, given, CSV))
        return CsvStream(self.core.settings.base_url, response)

    def close(self) -> None:
        self._http.close()


class AsyncTransport:
    """The asynchronous transport."""

    def __init__(
        self, settings: Settings, runtime: AsyncRuntime, transport: httpx.AsyncBaseTransport | None
    ) -> None:
        self._http = httpx.AsyncClient(transport=transport, follow_redirects=False)
        self.runtime = runtime
        self.core = Core(settings, _AsyncIo(self._http, runtime))

    async def call(self, operation: Operation[Data], given: Input) -> Data:
        return await self.core.read_data(operation, given)

    def pages(self, operation: Operation[Row], given: Input) -> AsyncPages[Row]:
        return AsyncPages(self.core, operation, given)

    async def stream(self, operation: Operation[CsvStream], given: Input) -> AsyncCsvStream:
        response = await self.core.send(operation, given, CSV)
        return AsyncCsvStream(self.core.settings.base_url, response)

    async def aclose(self) -> None:
        await self._http.aclose()


class Resource:
    """The methods of one API resource."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport


class AsyncResource:
    """The methods of one API resource."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport


class _BlockingIo:
    def __init__(self, http: httpx.Client, runtime: Runtime) -> None:
        self._http = http
        self._runtime = runtime

    async def send(self, request: httpx.Request) -> httpx.Response:
        return self._http.send(request, stream=True)

    async def read(self, response: httpx.Response) -> None:
        response.read()

    async def sleep(self, seconds: float) -> None:
        self._runtime.sleep(seconds)


class _AsyncIo:
    def __init__(self, http: httpx.AsyncClient, runtime: AsyncRuntime) -> None:
        self._http = http
        self._runtime = runtime

    async def send(self, request: httpx.Request) -> httpx.Response:
        return await self._http.send(request, stream=True)

    async def read(self, response: httpx.Response) -> None:
        await response.aread()

    async def sleep(self, seconds: float) -> None:
        await self._runtime.sleep(seconds)
