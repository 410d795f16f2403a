from dataclasses import dataclass


@dataclass(frozen=True)
class CsvFile:
    """A CSV file as the body of a request, for operations that accept one instead of JSON."""

    content: str
