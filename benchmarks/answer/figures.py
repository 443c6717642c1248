"""Measured figures, and how they are shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value, what it may be at most or at least, and what a rival needs for the same."""

    what: str
    value: float
    unit: str
    at_most: float | None = None
    at_least: float | None = None
    rival: float | None = None
    rival_name: str = ""

    @property
    def is_met(self) -> bool | None:
        """Whether the bound is kept; none where there is none."""
        if self.at_most is not None:
            return self.value <= self.at_most
        return None if self.at_least is None else self.value >= self.at_least

    def to_json(self) -> dict[str, Any]:
        """The figure with everything it is compared to."""
        return {
            "what": self.what,
            "value": self.value,
            "unit": self.unit,
            "at_most": self.at_most,
            "at_least": self.at_least,
            "is_met": self.is_met,
            "rival": self.rival,
            "rival_name": self.rival_name,
        }


def figure_table(title: str, figures: Sequence[Figure]) -> Table:
    """A row a figure."""
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("", min_width=52)
    for column in ("measured", "bound", "rival"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("")
    for figure in figures:
        rival = "" if figure.rival is None else _shown(figure.rival, figure.unit)
        table.add_row(
            figure.what, _shown(figure.value, figure.unit), _bound(figure), rival, figure.rival_name
        )
    return table


def _bound(figure: Figure) -> str:
    if figure.is_met is None:
        return ""
    colour = "green" if figure.is_met else "red"
    sign, bound = ("≤", figure.at_most) if figure.at_most is not None else ("≥", figure.at_least)
    assert bound is not None
    return f"[{colour}]{sign} {_shown(bound, figure.unit)}[/]"


def _shown(value: float, unit: str) -> str:
    digits = 0 if value >= 100 or value == int(value) else 1 if value >= 10 else 2 if value >= 0.1 else 3
    return f"{value:,.{digits}f} {unit}".rstrip()
