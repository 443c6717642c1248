"""Discord's HTTP routes for answering interactions.

https://discord.com/developers/docs/interactions/receiving-and-responding
"""

from collections.abc import Callable

from discord import InteractionResponseType, InteractionType, MessageType

from .channel_routes import edit_message, new_message
from .faults import Answer
from .interactions import Interaction
from .messages import EPHEMERAL, LOADING, Message
from .places import Json
from .refusals import Refusal, RefusedError
from .routing import NO_CONTENT, Call, Routes

route = Routes()

APPLICATION_COMMAND = InteractionType.application_command
COMPONENT = InteractionType.component
MODAL_SUBMIT = InteractionType.modal_submit
SLASH = 1

Response = Callable[[Call, Interaction, Json], None]
RESPONSES: dict[InteractionResponseType, tuple[set[InteractionType], Response]] = {}


def response(kind: InteractionResponseType, *to: InteractionType) -> Callable[[Response], Response]:
    """Register what a callback of `kind` does; it answers interactions of the types `to`."""

    def register(handler: Response) -> Response:
        RESPONSES[kind] = (set(to), handler)
        return handler

    return register


@route("POST", "/interactions/{id}/{token}/callback")
def _callback(call: Call) -> Answer:
    interaction = call.world.interactions.get(call.ids[0])
    if interaction is None or interaction.token != call.token:
        raise RefusedError(Refusal.UNKNOWN_INTERACTION)
    if interaction.acknowledgement is not None:
        raise RefusedError(Refusal.ALREADY_ACKNOWLEDGED)
    if interaction.too_late:
        raise RefusedError(Refusal.UNKNOWN_INTERACTION)
    kind = InteractionResponseType(call.form["type"])
    answers, respond = RESPONSES.get(kind, (set(), None))
    if respond is None or interaction.type not in answers:
        raise RefusedError(Refusal.INVALID_FORM)
    data = call.form.get("data") or {}
    respond(call, interaction, data)
    interaction.acknowledge(kind, ephemeral=bool((data.get("flags") or 0) & EPHEMERAL))
    return _described(call, interaction) if "with_response" in call.query else NO_CONTENT


def _described(call: Call, interaction: Interaction) -> Answer:
    original = interaction.original
    about: Json = {"id": str(interaction.id), "type": interaction.type.value}
    if original is None:
        return Answer(200, {"interaction": about})
    about |= {
        "response_message_id": str(original.id),
        "response_message_loading": original.loading,
        "response_message_ephemeral": original.ephemeral,
    }
    resource = {"resource": {"type": call.form["type"], "message": original.payload()}}
    return Answer(200, {"interaction": about} | ({} if original.loading else resource))


@response(InteractionResponseType.channel_message, APPLICATION_COMMAND, COMPONENT, MODAL_SUBMIT)
def _reply(call: Call, interaction: Interaction, data: Json) -> None:
    interaction.original = _answer(call, interaction, data)


@response(InteractionResponseType.deferred_channel_message, APPLICATION_COMMAND, COMPONENT, MODAL_SUBMIT)
def _think(call: Call, interaction: Interaction, data: Json) -> None:
    interaction.original = _answer(call, interaction, {"flags": (data.get("flags") or 0) | LOADING})


@response(InteractionResponseType.deferred_message_update, COMPONENT, MODAL_SUBMIT)
def _accept(call: Call, interaction: Interaction, data: Json) -> None:
    interaction.original = interaction.source


@response(InteractionResponseType.autocomplete_result, InteractionType.autocomplete)
def _complete(call: Call, interaction: Interaction, data: Json) -> None:
    interaction.offered = data.get("choices") or []


@response(InteractionResponseType.modal, APPLICATION_COMMAND, COMPONENT)
def _open_modal(call: Call, interaction: Interaction, data: Json) -> None:
    interaction.modal = data


def _answer(call: Call, interaction: Interaction, data: Json) -> Message:
    message = new_message(call, interaction.channel, data)
    message.interaction = interaction
    if interaction.type is APPLICATION_COMMAND:
        slash = interaction.data.get("type", SLASH) == SLASH
        message.type = MessageType.chat_input_command if slash else MessageType.context_menu_command
    return call.world.post(message)


# --- afterwards, by token -----------------------------------------------------------------------


def _by_token(call: Call) -> Interaction:
    """The interaction of a living token."""
    known = (one for one in call.world.interactions.values() if one.token == call.token)
    interaction = next(known, None)
    if interaction is None or call.ids[0] != call.world.application_id:
        raise RefusedError(Refusal.UNKNOWN_WEBHOOK)
    if interaction.expired:
        raise RefusedError(Refusal.EXPIRED_TOKEN)
    if interaction.acknowledgement is None:
        raise RefusedError(Refusal.UNKNOWN_WEBHOOK)
    return interaction


def _original(call: Call) -> Message:
    message = _by_token(call).original
    if message is None or message.deleted:
        raise RefusedError(Refusal.UNKNOWN_MESSAGE)
    return message


@route("POST", "/webhooks/{id}/{token}")
def _follow_up(call: Call) -> Answer:
    interaction = _by_token(call)
    thinking = interaction.original
    if thinking is not None and thinking.loading and not thinking.deleted:
        # The first follow-up of a deferred response completes it, as public or private as that was.
        return Answer(200, edit_message(call, thinking, call.form).payload())
    return Answer(200, _answer(call, interaction, call.form).payload())


@route("GET", "/webhooks/{id}/{token}/messages/@original")
def _get_original(call: Call) -> Answer:
    return Answer(200, _original(call).payload())


@route("PATCH", "/webhooks/{id}/{token}/messages/@original")
def _edit_original(call: Call) -> Answer:
    return Answer(200, edit_message(call, _original(call), call.form).payload())
