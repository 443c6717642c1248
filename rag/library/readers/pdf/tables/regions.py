"""Which of a page's rules belong to one table; and lines parted at its edges, where other text begins."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median

from rag.library.readers.pdf.lines import PrintedLine, Word, parted
from rag.library.readers.pdf.tables.levels import middle_of
from rag.library.readers.pdf.tables.rulings import DrawnLine, DrawnLines
from rag.library.readers.runs import in_runs

_TOUCH = 3.0  # points between rules that meet
SAME_RULE = 4.0  # points: double rules are one
_SAME_ENDS = 4.0  # points: rules over one another begin and end alike
_OWN = 12.0  # points that a rule of a table stands out of it, on both sides
_NEXT_PART = 8.0  # points between a header and its rows that are ruled apart
_INSIDE = 2.0  # points that text may stand out of its table


@dataclass(slots=True)
class Region:
    """Rules that belong together, with their box.

    `columns`: where they part, if no vertical rule tells. A region that gaps alone tell is not `is_ruled`:
    its horizontal rules part the rows as they were drawn, `head` is the height of the only rule on the page.
    """

    horizontal: list[DrawnLine]
    vertical: list[DrawnLine]
    x0: float = 0.0
    x1: float = 0.0
    top: float = 0.0
    bottom: float = 0.0
    columns: list[float] = field(default_factory=list)
    is_ruled: bool = True
    head: float = 0.0

    @classmethod
    def of(cls, horizontal: Sequence[DrawnLine], vertical: Sequence[DrawnLine]) -> "Region":
        xs = [x for rule in horizontal for x in (rule.start, rule.end)] + [rule.at for rule in vertical]
        ys = [y for rule in vertical for y in (rule.start, rule.end)] + [rule.at for rule in horizontal]
        return cls(list(horizontal), list(vertical), min(xs), max(xs), min(ys), max(ys))

    @property
    def inner(self) -> list[DrawnLine]:
        """The vertical rules between its left and its right edge."""
        return [rule for rule in self.vertical if self.x0 + SAME_RULE < rule.at < self.x1 - SAME_RULE]

    def stacks_with(self, below: "Region") -> bool:
        """Whether both may be one table: far apart only single rules are, or bands of one row each."""
        is_near = below.top - self.bottom < _NEXT_PART
        is_row = len(below.horizontal) <= 2 and bool(self.vertical) == bool(below.vertical)
        is_over = max(abs(self.x0 - below.x0), abs(self.x1 - below.x1)) < _SAME_ENDS
        return not self.inner and is_over and (is_near or is_row)

    def holds(self, rule: DrawnLine) -> bool:
        """Whether a vertical rule stands inside."""
        is_within = self.x0 + SAME_RULE < rule.at < self.x1 - SAME_RULE
        return is_within and self.top - _TOUCH < rule.start < self.bottom

    def is_over(self, word: Word) -> bool:
        """Whether a word stands between its left and its right edge."""
        return self.x0 - _INSIDE <= (word.x0 + word.x1) / 2 <= self.x1 + _INSIDE


def regions_of(rulings: DrawnLines) -> list[Region]:
    """Rules that meet, and horizontal ones of the same ends over one another, from the smallest region."""
    regions: list[Region] = []
    for region in sorted(_meeting(rulings), key=lambda region: region.top):
        above = next((one for one in regions if not region.inner and one.stacks_with(region)), None)
        if above:
            regions.remove(above)
            region = Region.of(above.horizontal + region.horizontal, above.vertical + region.vertical)
        regions.append(region)
    found = [region for region in regions if len(region.horizontal) > 1]
    return sorted(found, key=lambda one: (one.bottom - one.top) * (one.x1 - one.x0))


def _meeting(rulings: DrawnLines) -> list[Region]:
    """The rules in groups of those that meet, with the vertical ones inside that meet none."""
    groups: list[tuple[list[DrawnLine], list[DrawnLine]]] = [([rule], []) for rule in rulings.horizontal]
    for vertical in rulings.vertical:
        met = [group for group in groups if any(_meet(rule, vertical) for rule in group[0])]
        groups = [group for group in groups if not any(group is one for one in met)]
        rules = [rule for one in met for rule in one[0]]
        groups.append((rules, [vertical, *(rule for one in met for rule in one[1])]))
    regions = [Region.of(_alike(rules), verticals) for rules, verticals in groups if rules]
    for rule in [rule for rules, verticals in groups if not rules for rule in verticals]:
        for region in regions:
            if region.holds(rule):
                region.vertical.append(rule)
    return regions


def _alike(rules: list[DrawnLine]) -> list[DrawnLine]:
    """The rules that end as most of a table do; one that runs through it is the page's own."""
    start, end = median(rule.start for rule in rules), median(rule.end for rule in rules)
    return [rule for rule in rules if rule.start > start - _OWN or rule.end < end + _OWN]


def _meet(horizontal: DrawnLine, vertical: DrawnLine) -> bool:
    across = horizontal.start - _TOUCH <= vertical.at <= horizontal.end + _TOUCH
    return across and vertical.start - _TOUCH <= horizontal.at <= vertical.end + _TOUCH


def places(rules: Iterable[DrawnLine]) -> list[float]:
    """Where rules stand, double ones as one."""
    heights = in_runs(sorted(rule.at for rule in rules), lambda same, at: at - same[0] <= SAME_RULE)
    return [same[0] for same in heights]


def parted_at(region: Region, lines: Sequence[PrintedLine]) -> tuple[list[PrintedLine], list[PrintedLine]]:
    """All lines, those that stand partly in a region parted there; and the ones inside."""
    pieces: list[tuple[bool, PrintedLine]] = []
    for line in lines:
        is_level = region.top - _INSIDE < middle_of(line) < region.bottom + _INSIDE
        pieces += parted(line, region.is_over) if is_level else [(False, line)]
    return [piece for _, piece in pieces], [piece for is_inside, piece in pieces if is_inside]
