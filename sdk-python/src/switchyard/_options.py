import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

_logger = logging.getLogger("switchyard")


@dataclass(frozen=True)
class CallOptions:
    """The options of one call; None means the client's setting."""

    timeout: float | None = None
    """The timeout, in seconds, for the connection and for each part of the response."""
    max_retries: int | None = None
    """How often the call is retried after a lost connection, 429 or 503."""
    idempotency_key: str | None = None
    """For a POST. The client generates one if none is given."""


@dataclass(frozen=True)
class LogEntry:
    """One attempt of a call, without credentials and bodies."""

    operation: str
    method: str
    path: str
    attempt: int
    """From 1."""
    status: int | None
    """None if there was no response."""
    request_id: str | None
    seconds: float


Log = Callable[[LogEntry], None]


@dataclass(frozen=True)
class Runtime:
    """The clock and the source of randomness, which tests replace."""

    now: Callable[[], float] = time.time
    random: Callable[[], float] = random.random
    sleep: Callable[[float], None] = time.sleep


@dataclass(frozen=True)
class AsyncRuntime:
    """The clock and the source of randomness, which tests replace."""

    now: Callable[[], float] = time.time
    random: Callable[[], float] = random.random
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


def log_attempt(entry: LogEntry) -> None:
    """The default log of a client."""
    _logger.debug(
        "%s %s attempt %d: %s in %.3f s (request %s)",
        entry.method,
        entry.path,
        entry.attempt,
        entry.status or "no answer",
        entry.seconds,
        entry.request_id,
    )
