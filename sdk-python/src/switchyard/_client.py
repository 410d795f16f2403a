from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ParamSpec, TypeVar

import httpx

from ._core import Settings, base_url_of
from ._credentials import AccessToken, AsyncAccessToken, credential_headers
from ._generated.async_resources import AsyncResources
from ._generated.resources import Resources
from ._operation import Input, Operation
from ._options import AsyncRuntime, CallOptions, Log, Runtime, log_attempt
from ._payments import AsyncPayments, Payments
from ._response import ApiResponse, capturing, response_of
from ._transport import AsyncTransport, Transport
from ._webhooks import AsyncWebhooks, Webhooks

Data = TypeVar("Data")
Arguments = ParamSpec("Arguments")

_TIMEOUT = 60.0
_MAX_RETRIES = 2


class Switchyard(Resources):
    """A client of one installation. Each resource is a property, each operation a method."""

    payments: Payments
    webhooks: Webhooks

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        access_token: AccessToken | None = None,
        timeout: float = _TIMEOUT,
        max_retries: int = _MAX_RETRIES,
        log: Log = log_attempt,
        transport: httpx.BaseTransport | None = None,
        runtime: Runtime | None = None,
    ) -> None:
        """Pass an API key, or a person's access token; a function is called for it before each
        attempt. `transport` sets up proxies, certificates and pools, as for `httpx.Client`."""
        runtime = runtime or Runtime()
        settings = Settings(
            base_url=base_url_of(base_url),
            credentials=credential_headers(api_key, access_token),
            timeout=timeout,
            max_retries=max_retries,
            log=log,
            now=runtime.now,
            random=runtime.random,
        )
        self._transport = Transport(settings, runtime, transport)
        super().__init__(self._transport)
        self.payments = Payments(self._transport)
        self.webhooks = Webhooks(self._transport)

    def with_response(
        self,
        method: Callable[Arguments, Data],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> ApiResponse[Data]:
        """Calls a method and returns its data with the status, the headers and the request id:
        `sy.with_response(sy.payments.get, payment_id)`."""
        with capturing() as seen:
            data = method(*args, **kwargs)
        return response_of(data, seen)

    @property
    def base_url(self) -> str:
        return self._transport.core.settings.base_url

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        options: CallOptions = CallOptions(),  # noqa: B008 (it cannot change)
    ) -> Any:
        """Sends any request, for operations that this version has no method for."""
        return self._transport.call(_raw(method, path), Input((), query or {}, body, options))

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> "Switchyard":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Switchyard(base_url={self.base_url!r})"


class AsyncSwitchyard(AsyncResources):
    """The same client for asyncio: its methods are coroutines, its lists async iterators."""

    payments: AsyncPayments
    webhooks: AsyncWebhooks

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        access_token: AsyncAccessToken | None = None,
        timeout: float = _TIMEOUT,
        max_retries: int = _MAX_RETRIES,
        log: Log = log_attempt,
        transport: httpx.AsyncBaseTransport | None = None,
        runtime: AsyncRuntime | None = None,
    ) -> None:
        """Pass an API key, or a person's access token; a function is called for it before each
        attempt, and may be a coroutine function. `transport` is that of an `httpx.AsyncClient`."""
        runtime = runtime or AsyncRuntime()
        settings = Settings(
            base_url=base_url_of(base_url),
            credentials=credential_headers(api_key, access_token),
            timeout=timeout,
            max_retries=max_retries,
            log=log,
            now=runtime.now,
            random=runtime.random,
        )
        self._transport = AsyncTransport(settings, runtime, transport)
        super().__init__(self._transport)
        self.payments = AsyncPayments(self._transport)
        self.webhooks = AsyncWebhooks(self._transport)

    async def with_response(
        self,
        method: Callable[Arguments, Awaitable[Data]],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> ApiResponse[Data]:
        """Calls a method and returns its data with the status, the headers and the request id:
        `await sy.with_response(sy.payments.get, payment_id)`."""
        with capturing() as seen:
            data = await method(*args, **kwargs)
        return response_of(data, seen)

    @property
    def base_url(self) -> str:
        return self._transport.core.settings.base_url

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        options: CallOptions = CallOptions(),  # noqa: B008 (it cannot change)
    ) -> Any:
        """Sends any request, for operations that this version has no method for."""
        return await self._transport.call(_raw(method, path), Input((), query or {}, body, options))

    async def aclose(self) -> None:
        await self._transport.aclose()

    async def __aenter__(self) -> "AsyncSwitchyard":
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"AsyncSwitchyard(base_url={self.base_url!r})"


def _raw(method: str, path: str) -> Operation[Any]:
    if not path.startswith("/"):
        raise ValueError("path must start with a slash")
    return Operation(id=f"{method} {path}", method=method.upper(), path=path)
