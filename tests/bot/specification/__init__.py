"""Discord's rules for request bodies: its OpenAPI specification, and what that cannot express.

`check_request` is the entry point. It serves in-process tests, which hand it the bodies that the simulator
recorded, and the loopback server, which hands it every body that arrives.
"""

from .requests import check_request
from .violations import (
    CommandViolation,
    ComponentViolation,
    EmptyText,
    LimitExceeded,
    MentionsNotSuppressed,
    ModalViolation,
    SchemaViolation,
    SpecificationViolation,
    UnknownRoute,
)

__all__ = [
    "CommandViolation",
    "ComponentViolation",
    "EmptyText",
    "LimitExceeded",
    "MentionsNotSuppressed",
    "ModalViolation",
    "SchemaViolation",
    "SpecificationViolation",
    "UnknownRoute",
    "check_request",
]
