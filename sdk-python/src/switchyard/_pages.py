import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator, Iterator
from typing import Generic, TypeVar

import httpx

from ._core import CSV, Core, Page, no_answer, run_blocking
from ._operation import Input, Operation

Row = TypeVar("Row")


class _Reader(Generic[Row]):
    """Reads the rows of a list one by one; after an error, it continues where it stopped."""

    def __init__(self, core: Core, operation: Operation[Row], given: Input) -> None:
        self._core = core
        self._operation = operation
        self._given = given
        self._rows: deque[Row] = deque()
        self._cursor: str | None = None
        self._is_last_page = False

    async def next(self) -> tuple[Row] | None:
        """The next row, or None at the end."""
        while not self._rows:
            if self._is_last_page:
                return None
            page = await self._core.read_page(self._operation, self._given, self._cursor)
            self._rows.extend(page.data)
            self._cursor = page.cursor
            self._is_last_page = page.cursor is None
        return (self._rows.popleft(),)


class Pages(Generic[Row]):
    """A list of any length. Iterate over it; nothing is requested until then."""

    def __init__(self, core: Core, operation: Operation[Row], given: Input) -> None:
        self._core = core
        self._operation = operation
        self._given = given

    def __iter__(self) -> Iterator[Row]:
        return _Rows(_Reader(self._core, self._operation, self._given))

    def to_list(self, *, limit: int) -> list[Row]:
        """Reads at most `limit` rows, from as many pages as needed."""
        rows = iter(self)
        return [row for _, row in zip(range(limit), rows, strict=False)]

    def first_page(self) -> Page[Row]:
        """Reads one page, with the cursor of the next; its length is the query's `limit`."""
        return run_blocking(self._core.read_page(self._operation, self._given, None))

    def csv(self) -> "CsvStream":
        """Streams the whole list as CSV, with the same filters."""
        return CsvStream(
            self._core.settings.base_url,
            run_blocking(self._core.send(self._operation, self._given, CSV)),
        )


class AsyncPages(Generic[Row]):
    """A list of any length. Iterate over it with `async for`; nothing is requested until then."""

    def __init__(self, core: Core, operation: Operation[Row], given: Input) -> None:
        self._core = core
        self._operation = operation
        self._given = given

    def __aiter__(self) -> AsyncIterator[Row]:
        return _AsyncRows(_Reader(self._core, self._operation, self._given))

    async def to_list(self, *, limit: int) -> list[Row]:
        """Reads at most `limit` rows, from as many pages as needed."""
        rows: list[Row] = []
        reader = _Reader(self._core, self._operation, self._given)
        while len(rows) < limit and (row := await reader.next()) is not None:
            rows.append(row[0])
        return rows

    async def first_page(self) -> Page[Row]:
        """Reads one page, with the cursor of the next; its length is the query's `limit`."""
        return await self._core.read_page(self._operation, self._given, None)

    async def csv(self) -> "AsyncCsvStream":
        """Streams the whole list as CSV, with the same filters."""
        response = await self._core.send(self._operation, self._given, CSV)
        return AsyncCsvStream(self._core.settings.base_url, response)


class _Rows(Iterator[Row]):
    def __init__(self, reader: _Reader[Row]) -> None:
        self._reader = reader
        # Threads that share the iterator share its requests.
        self._turn = threading.Lock()

    def __next__(self) -> Row:
        with self._turn:
            row = run_blocking(self._reader.next())
        if row is None:
            raise StopIteration
        return row[0]


class _AsyncRows(AsyncIterator[Row]):
    def __init__(self, reader: _Reader[Row]) -> None:
        self._reader = reader
        # Tasks that share the iterator share its requests.
        self._turn = asyncio.Lock()

    async def __anext__(self) -> Row:
        async with self._turn:
            row = await self._reader.next()
        if row is None:
            raise StopAsyncIteration
        return row[0]


class CsvStream:
    """A streamed CSV file: iterate over its bytes, or `read` all of it."""

    def __init__(self, base_url: str, response: httpx.Response) -> None:
        self._base_url = base_url
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._response.iter_bytes()
        except httpx.RequestError as cause:
            raise no_answer(self._base_url, cause) from cause
        finally:
            self.close()

    def read(self) -> bytes:
        return b"".join(self)

    def close(self) -> None:
        self._response.close()

    def __enter__(self) -> "CsvStream":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class AsyncCsvStream:
    """A streamed CSV file: iterate over its bytes, or `read` all of it."""

    def __init__(self, base_url: str, response: httpx.Response) -> None:
        self._base_url = base_url
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for piece in self._response.aiter_bytes():
                yield piece
        except httpx.RequestError as cause:
            raise no_answer(self._base_url, cause) from cause
        finally:
            await self.aclose()

    async def read(self) -> bytes:
        return b"".join([piece async for piece in self])

    async def aclose(self) -> None:
        await self._response.aclose()

    async def __aenter__(self) -> "AsyncCsvStream":
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()
