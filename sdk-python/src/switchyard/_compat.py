"""Replacements for what Python 3.10 lacks."""

import sys
from typing import TYPE_CHECKING

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired
else:

    class NotRequired:
        """A placeholder for a name that only type checkers read, so that no package is needed."""

        def __class_getitem__(cls, kind: object) -> object:
            return kind


__all__ = ["NotRequired"]
