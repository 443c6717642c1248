"""The errors with which Discord answers.

https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
"""

from enum import Enum


class Refusal(Enum):
    """HTTP status, Discord's own code, and its words."""

    UNAUTHORIZED = (401, 0, "401: Unauthorized")
    UNKNOWN_CHANNEL = (404, 10003, "Unknown Channel")
    UNKNOWN_GUILD = (404, 10004, "Unknown Guild")
    UNKNOWN_MEMBER = (404, 10007, "Unknown Member")
    UNKNOWN_MESSAGE = (404, 10008, "Unknown Message")
    UNKNOWN_USER = (404, 10013, "Unknown User")
    UNKNOWN_WEBHOOK = (404, 10015, "Unknown Webhook")
    UNKNOWN_INTERACTION = (404, 10062, "Unknown interaction")
    ALREADY_ACKNOWLEDGED = (400, 40060, "Interaction has already been acknowledged.")
    MISSING_ACCESS = (403, 50001, "Missing Access")
    NOT_YOUR_MESSAGE = (403, 50005, "Cannot edit a message authored by another user")
    EXPIRED_TOKEN = (401, 50027, "Invalid Webhook Token")
    INVALID_FORM = (400, 50035, "Invalid Form Body")
    THREAD_ARCHIVED = (400, 50083, "Thread is archived")
    THREAD_EXISTS = (400, 160004, "A thread has already been created for this message")
    INTERNAL_ERROR = (500, 0, "500: Internal Server Error")
    BAD_GATEWAY = (502, 0, "502: Bad Gateway")
    UNAVAILABLE = (503, 0, "503: Service Unavailable")

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.value[0]

    @property
    def body(self) -> dict[str, object]:
        """The JSON that goes with it."""
        return {"code": self.value[1], "message": self.value[2]}


class RefusedError(Exception):
    """Raised by a route to answer with a `Refusal`."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(refusal.name)
