import inspect
import re
from collections.abc import Awaitable, Callable

AccessToken = str | Callable[[], str]
AsyncAccessToken = str | Callable[[], str | Awaitable[str]]

_SENDABLE = re.compile(r"[\x21-\x7e]+")
_UNUSED = "NONE"


def credential_headers(
    api_key: str | None, access_token: AsyncAccessToken | None
) -> Callable[[], Awaitable[dict[str, str]]]:
    """Returns both headers; only one is used. The closure keeps the secret out of any `repr`."""
    if (api_key is None) == (access_token is None):
        raise ValueError("pass either api_key or access_token")
    key = None if api_key is None else sendable(api_key, "api_key")

    async def headers() -> dict[str, str]:
        if key is not None:
            return {"authorization": _UNUSED, "x-api-key": key}
        token = access_token() if callable(access_token) else access_token
        if inspect.isawaitable(token):
            token = await token
        return {"authorization": f"Bearer {sendable(token, 'access_token')}", "x-api-key": _UNUSED}

    return headers


def sendable(secret: object, name: str) -> str:
    """Rejects a value that is not valid in a header, without quoting the value."""
    if not isinstance(secret, str) or not _SENDABLE.fullmatch(secret):
        raise ValueError(f"{name} must consist of visible ASCII characters without spaces")
    return secret
