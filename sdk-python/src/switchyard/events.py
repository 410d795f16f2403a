"""The types of the events that webhooks deliver, such as `PaymentCompletedEvent`."""

from ._generated.events import *  # noqa: F403 (generated)
