"""Rules for buttons, menus and modals.

Limits: https://discord.com/developers/docs/components/reference
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from discord import ComponentType

from .violations import ComponentViolation, ModalViolation, check_count, check_length, check_text

CUSTOM_ID = 100
ROWS = 5
BUTTONS_IN_A_ROW = 5
BUTTON_LABEL = 80
MODAL_TITLE = 45
MODAL_COMPONENTS = 5
INPUT_LABEL = 45
INPUT_PLACEHOLDER = 100
INPUT_VALUE = 4000

ACTION_ROW = ComponentType.action_row.value
BUTTON = ComponentType.button.value
TEXT_INPUT = ComponentType.text_input.value

Payload = dict[str, Any]


def walk(components: Iterable[Payload]) -> Iterator[Payload]:
    """Every component, outer before inner."""
    for component in components:
        yield component
        yield from walk(component.get("components") or [])
        for key in ("accessory", "component"):
            if inner := component.get(key):
                yield from walk([inner])


def check_components(components: list[Payload]) -> None:
    """Check the components of a message; raises `ComponentViolation` or `LimitExceeded`."""
    rows = [component for component in components if component["type"] == ACTION_ROW]
    check_count(len(rows), ROWS, "components: action rows")
    for number, row in enumerate(rows):
        _check_row(row["components"], f"components[{number}]")
    _check_custom_ids(components)


def _check_row(row: list[Payload], place: str) -> None:
    buttons = [component for component in row if component["type"] == BUTTON]
    check_count(len(buttons), BUTTONS_IN_A_ROW, f"{place}: buttons in a row")
    for component in row:
        if component["type"] == BUTTON:
            _check_button(component, place)


def _check_button(button: Payload, place: str) -> None:
    check_length(button.get("label"), BUTTON_LABEL, f"{place}: button label")
    if not button.get("label") and not button.get("emoji") and "sku_id" not in button:
        raise ComponentViolation(f"{place}: a button needs a label or an emoji")


def _check_custom_ids(components: list[Payload]) -> None:
    custom_ids = [component["custom_id"] for component in walk(components) if component.get("custom_id")]
    for custom_id in custom_ids:
        check_text(custom_id, CUSTOM_ID, "custom_id")
    _check_unique(custom_ids, "custom_id")


def _check_unique(values: Iterable[str], place: str) -> None:
    repeated = [value for value, count in Counter(values).items() if count > 1]
    if repeated:
        raise ComponentViolation(f"{place}: must be unique, repeated {repeated}")


def check_modal(modal: Payload) -> None:
    """Check a modal that answers an interaction; raises a `SpecificationViolation`."""
    check_text(modal["title"], MODAL_TITLE, "modal title")
    check_text(modal["custom_id"], CUSTOM_ID, "modal custom_id")
    components = modal["components"]
    if not 1 <= len(components) <= MODAL_COMPONENTS:
        raise ModalViolation(f"modal: {len(components)} components, must be 1 to {MODAL_COMPONENTS}")
    _check_custom_ids(components)
    for component in walk(components):
        if "label" in component:
            check_length(component["label"], INPUT_LABEL, "modal: label of an input")
        if component["type"] == TEXT_INPUT:
            _check_text_input(component)


def _check_text_input(field: Payload) -> None:
    check_length(field.get("placeholder"), INPUT_PLACEHOLDER, "modal: placeholder of an input")
    check_length(field.get("value"), INPUT_VALUE, "modal: value of an input")
    if (field.get("min_length") or 0) > (field.get("max_length") or INPUT_VALUE):
        raise ModalViolation("modal: an input's min_length is above its max_length")
