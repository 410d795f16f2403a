"""The types of requests and responses, such as `PaymentRecord`."""

from ._generated.types import *  # noqa: F403 (generated)
