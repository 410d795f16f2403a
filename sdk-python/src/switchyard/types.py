"""The types of requests and answers, such as `PaymentRecord`."""

from ._generated.types import *  # noqa: F403 (generated)
