import re
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from ._errors import ApiError, ConnectionError

IN_PROGRESS_CODE = "IDEMPOTENCY_IN_PROGRESS"
_FIRST_DELAY = 0.5
_LONGEST_DELAY = 5.0
# If the server asks for a longer delay, the caller gets the error instead.
_RETRY_AFTER_LIMIT = 60.0
_IN_PROGRESS_LIMIT = 30.0
_REPEATED_STATUSES = (429, 503)


@dataclass
class Progress:
    max_retries: int
    retries: int = 0
    """How often the call was retried after a lost connection, 429 or 503."""
    waits: int = 0
    """How often, and for how long, the call has waited for an earlier call with the same key."""
    waited: float = 0.0

    def count(self, error: ApiError | ConnectionError, delay: float) -> None:
        if _is_in_progress(error):
            self.waits += 1
            self.waited += delay
        else:
            self.retries += 1


def retry_delay(
    error: ApiError | ConnectionError, progress: Progress, random: Callable[[], float]
) -> float | None:
    """The delay before the next attempt in seconds, or None if there is none."""
    if not _is_worth_repeating(error, progress):
        return None
    grown = min(_FIRST_DELAY * 2.0 ** (progress.retries + progress.waits), _LONGEST_DELAY)
    jittered = max(_FIRST_DELAY, grown * (1 + random()) * 0.5)
    retry_after = error.retry_after if isinstance(error, ApiError) else None
    if retry_after is None:
        return jittered
    return None if retry_after > _RETRY_AFTER_LIMIT else max(jittered, retry_after)


def _is_in_progress(error: ApiError | ConnectionError) -> bool:
    return isinstance(error, ApiError) and error.code == IN_PROGRESS_CODE


def _is_worth_repeating(error: ApiError | ConnectionError, progress: Progress) -> bool:
    """500 is not retried, as its outcome is unknown; 502 is a refusal by every provider."""
    if _is_in_progress(error):
        return progress.max_retries > 0 and progress.waited < _IN_PROGRESS_LIMIT
    if progress.retries >= progress.max_retries:
        return False
    return isinstance(error, ConnectionError) or error.status in _REPEATED_STATUSES


def parse_retry_after(value: str | None, now: float) -> float | None:
    """Parses `Retry-After`, which is a number of seconds or a date."""
    if value is None:
        return None
    if re.fullmatch(r"[0-9]+", value):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (TypeError, ValueError):
        return None
