"""People at the table: what they type, click and choose becomes what Discord tells the bot."""

from dataclasses import dataclass
from typing import Any

from discord import AppCommandType, ComponentType, InteractionType

from tests.bot.specification.components import walk

from .interactions import Interaction
from .messages import Message
from .places import Channel, Guild, Json, User
from .world import World

SYNCED = 10.0  # seconds that a test waits for a command to be registered


@dataclass(eq=False)
class Person:
    """A user at a keyboard, in the language `locale`.

    Where no channel is named they are in the first one of their `guild`, or in the DM without one.
    """

    user: User
    locale: str
    world: World
    guild: Guild | None = None

    @property
    def dm(self) -> Channel:
        """The direct channel with the bot."""
        return self.world.dm_with(self.user)

    # --- commands -------------------------------------------------------------------------------

    async def slash(self, name: str, channel: Channel | None = None, /, **options: Any) -> Interaction:
        """Use a slash command; `name` may go on with subcommands: "library page".

        The place goes by position: an option may be called `channel` too.
        """
        where = self._where(channel)
        self.world.wake(where)
        return await self._command(InteractionType.application_command, name, where, options)

    async def completes(self, name: str, channel: Channel | None = None, /, **options: Any) -> Interaction:
        """Type into the last of `options`; its completions are the interaction's `choices()`."""
        kind = InteractionType.autocomplete
        return await self._command(kind, name, self._where(channel), options, focused=[*options][-1])

    async def _command(
        self, kind: InteractionType, path: str, where: Channel, given: Json, focused: str = ""
    ) -> Interaction:
        name, *nested = path.split()
        command = await self._offered(name, AppCommandType.chat_input, where)
        leaf, parents = command, []
        for inner in nested:
            leaf = next(option for option in leaf["options"] if option["name"] == inner)
            parents.append({"name": inner, "type": leaf["type"]})
        options = [_option(leaf, name, value, focused) for name, value in given.items()]
        for parent in reversed(parents):
            options = [parent | {"options": options}]
        data = _invoked(command) | {"options": options}
        return self.use(kind, where, data)

    async def _offered(self, name: str, kind: AppCommandType, where: Channel) -> Json:
        def find() -> Json | None:
            fitting = (one for one in self._registered(where) if one["name"] == name)
            return next((one for one in fitting if one["type"] == kind.value), None)

        return await self.world.changes.until(find, SYNCED, f"command {name} registered")

    def _registered(self, where: Channel) -> list[Json]:
        own = self.world.commands.get(where.guild.id, []) if where.guild else []
        return [*own, *self.world.commands.get(None, [])]

    # --- buttons, menus, modals -----------------------------------------------------------------

    async def clicks(self, message: Message, label: str) -> Interaction:
        """Press the button with that label (or `custom_id`)."""
        kind = ComponentType.button.value
        button = self._control(message, lambda one: one["type"] == kind and label in _names(one))
        data = {"component_type": kind, "custom_id": button["custom_id"]}
        return self.use(InteractionType.component, message.channel, data, message)

    async def chooses(self, message: Message, label: str) -> Interaction:
        """Choose the option of that label in the menu below a message."""
        kind = ComponentType.string_select.value
        menu = self._control(message, lambda one: one["type"] == kind)
        value = next(one["value"] for one in menu["options"] if one["label"] == label)
        data = {"component_type": kind, "custom_id": menu["custom_id"], "values": [value]}
        return self.use(InteractionType.component, message.channel, data, message)

    async def submits(self, opened: Interaction, *texts: str) -> Interaction:
        """Fill the inputs of the modal that an interaction opened, from top to bottom.

        Of what is to be chosen there the default is.
        """
        modal = await opened.opened()
        remaining = list(texts)
        components = [_filled(component, remaining) for component in modal["components"]]
        data = {"custom_id": modal["custom_id"], "components": components}
        return self.use(InteractionType.modal_submit, opened.channel, data, opened.source)

    def _control(self, message: Message, fits: Any) -> Json:
        usable = (one for one in walk(message.components) if fits(one) and not one.get("disabled"))
        control = next(usable, None)
        assert control, f"no such control among {message.buttons}"
        return control

    # --- plain messages -------------------------------------------------------------------------

    async def says(self, text: str, channel: Channel | None = None) -> Message:
        """Write a message; "@bot" mentions the bot."""
        where = self._where(channel)
        self.world.wake(where)
        bot = self.world.bot
        message = Message(self.world.snowflake(), where, self.user, text.replace("@bot", bot.mention))
        if "@bot" in text:
            message.mentions.append(bot)
        return self.world.post(message)

    async def deletes(self, message: Message) -> None:
        """Delete a message, as its author or a moderator may."""
        self.world.delete(message)

    # --- common ---------------------------------------------------------------------------------

    def _where(self, channel: Channel | None) -> Channel:
        if channel is not None:
            return channel
        return self.guild.channels[0] if self.guild else self.dm

    def use(
        self, kind: InteractionType, where: Channel, data: Json, source: Message | None = None
    ) -> Interaction:
        """Send an interaction to the bot."""
        world = self.world
        identity = world.snowflake()
        interaction = Interaction(
            identity,
            f"token-{identity}",
            kind,
            self.user,
            self.locale,
            where,
            data,
            world.bot,
            world.clock,
            world.changes,
            source,
        )
        world.interactions[identity] = interaction
        world.emit("INTERACTION_CREATE", interaction.event())
        return interaction


def _invoked(command: Json) -> Json:
    """What an interaction says of its command; only a guild's own command names the guild."""
    own = {"guild_id": command["guild_id"]} if "guild_id" in command else {}
    return {"id": command["id"], "name": command["name"], "type": command["type"]} | own


def _option(leaf: Json, name: str, value: Any, focused: str) -> Json:
    declared = next(one for one in leaf["options"] if one["name"] == name)
    option = {"name": name, "type": declared["type"], "value": value}
    return option | ({"focused": True} if name == focused else {})


def _names(control: Json) -> set[str | None]:
    return {control.get("label"), control.get("custom_id")}


def _filled(component: Json, texts: list[str]) -> Json:
    """A component of a modal as it is sent back, with the next of `texts` in each input."""
    shape: Json = {"type": component["type"], "id": component.get("id", 0)}
    if component["type"] == ComponentType.text_input.value:
        return shape | {"custom_id": component["custom_id"], "value": texts.pop(0)}
    if component["type"] == ComponentType.string_select.value:
        chosen = [option["value"] for option in component["options"] if option.get("default")]
        return shape | {"custom_id": component["custom_id"], "values": chosen}
    if "components" in component:
        shape["components"] = [_filled(inner, texts) for inner in component["components"]]
    if "component" in component:
        shape["component"] = _filled(component["component"], texts)
    return shape
