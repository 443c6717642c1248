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
    UNKNOWN_COMMAND = (404, 10063, "Unknown application command")
    ALREADY_ACKNOWLEDGED = (400, 40060, "Interaction has already been acknowledged.")
    MISSING_ACCESS = (403, 50001, "Missing Access")
    NOT_YOUR_MESSAGE = (403, 50005, "Cannot edit a message authored by another user")
    EMPTY_MESSAGE = (400, 50006, "Cannot send an empty message")
    CANNOT_MESSAGE_USER = (403, 50007, "Cannot send messages to this user")
    MISSING_PERMISSIONS = (403, 50013, "Missing Permissions")
    WRONG_CHANNEL_TYPE = (400, 50024, "Cannot execute action on this channel type")
    EXPIRED_TOKEN = (401, 50027, "Invalid Webhook Token")
    INVALID_FORM = (400, 50035, "Invalid Form Body")
    THREAD_ARCHIVED = (400, 50083, "Thread is archived")
    NO_HISTORY_TO_REPLY = (400, 160002, "Cannot reply without permission to read message history")
    THREAD_EXISTS = (400, 160004, "A thread has already been created for this message")
    INTERNAL_ERROR = (500, 0, "500: Internal Server Error")
    BAD_GATEWAY = (502, 0, "502: Bad Gateway")
    UNAVAILABLE = (503, 0, "503: Service Unavailable")
    GATEWAY_TIMEOUT = (504, 0, "504: Gateway Timeout")

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
