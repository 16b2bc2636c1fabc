"""A node as marks: a box with its label, and under it bars for its states or further words."""

from __future__ import annotations

from dagwright.show.diagram import Density, NodeLook, Style
from dagwright.show.scene import Group, Item, Text, box, line, polygon
from dagwright.show.text_width import one_line, shortened, text_width

PADDING_X, PADDING_Y = 0.75, 0.5  # of the font size
BAR_WIDTH, STATE_WIDTH = 5.0, 8.5  # of the font size
SMALL = 0.85
CURVE_WIDTH = 8.5  # of the font size
DENSITY_ROWS = 4
"""Rows of a density: its mean, the curve, and the ends of its axis."""


class NodeShape:
    """The size of a node and its marks around a center."""

    def __init__(self, look: NodeLook, style: Style) -> None:
        self.look, self.size = look, style.font_size
        bold = bool(look.bars or look.lines or look.density)
        self.label = shortened(one_line(look.name), style.font_size, style.label_width, bold=bold)
        small = SMALL * style.font_size
        self.row = 1.5 * small
        inner = text_width(self.label, style.font_size, bold=bold)
        self.lines = [shortened(one_line(text), small, 1.6 * style.label_width) for text in look.lines]
        self.states: list[str] = []
        if look.bars:
            limit = STATE_WIDTH * style.font_size
            self.states = [shortened(one_line(bar.label), small, limit) for bar in look.bars]
            self.state_width = max(
                text_width(state, small, bold=bar.chosen)
                for state, bar in zip(self.states, look.bars, strict=True)
            )
            self.percent_width = text_width("100.0 %", small)
            self.bar_width = BAR_WIDTH * style.font_size
            rows = self.state_width + self.bar_width + self.percent_width + 1.2 * small
            inner = max(inner, rows)
        if look.density is not None:
            words = text_width(look.density.words, small, bold=True)
            ends = sum(text_width(end, SMALL * small) for end in look.density.ends) + small
            inner = max(inner, CURVE_WIDTH * style.font_size, words, ends)
        inner = max([inner, *(text_width(text, small) for text in self.lines)])
        self.width = inner + 2 * PADDING_X * style.font_size
        self.head = style.font_size * (1.25 + 2 * PADDING_Y)
        extra = len(self.states) + len(self.lines) + (0 if look.density is None else DENSITY_ROWS)
        self.height = self.head + (extra * self.row + 0.5 * small if extra else 0.0)

    def marks(self, x: float, y: float) -> Group:
        """The node drawn around (x, y)."""
        look, size = self.look, self.size
        left, top = x - self.width / 2, y - self.height / 2
        tone = look.tone
        frame = box(
            left,
            top,
            self.width,
            self.height,
            radius=0.45 * size,
            fill=f"{tone}-fill" if tone else "node",
            stroke=tone or "border",
            line_width=1.8 if tone else 1.1,
            dash=look.dash,
        )
        # A label wider than the font that was measured would leave its box: squeeze long ones into it.
        inner = self.width - 1.2 * PADDING_X * size
        bold = bool(look.bars or look.lines or look.density)
        needed = text_width(self.label, size, bold=bold)
        wide = needed > 0.8 * inner and inner > 90
        label = Text(
            x,
            top + self.head / 2 + 0.36 * size,
            self.label,
            size,
            bold=bold,
            fit=min(inner, needed) if wide else None,
        )
        items: list[Item] = [frame, label]
        if bold:
            items.append(
                line(
                    [(left, top + self.head), (left + self.width, top + self.head)],
                    stroke=tone or "border",
                    width=0.6,
                )
            )
        items += self._rows(left, top + self.head)
        return Group(tuple(items), "node", (("node", look.name),), look.title or look.name)

    def _rows(self, left: float, top: float) -> list[Item]:
        small = SMALL * self.size
        begin = left + PADDING_X * self.size
        y = top + 0.3 * small
        items: list[Item] = []
        for text in self.lines:
            items.append(Text(begin, y + 0.5 * self.row + 0.36 * small, text, small, "start", "soft"))
            y += self.row
        if self.look.density is not None:
            items += self._density(self.look.density, begin, y)
        if not self.states:
            return items
        # The bars take what the labels leave.
        right = left + self.width - PADDING_X * self.size
        start = begin + self.state_width + 0.6 * small
        full = right - self.percent_width - 0.6 * small - start
        for state, bar in zip(self.states, self.look.bars, strict=True):
            base = y + 0.5 * self.row + 0.36 * small
            height = 0.72 * self.row
            at = y + (self.row - height) / 2
            marks: list[Item] = [
                Text(begin, base, state, small, "start", "ink", bold=bar.chosen),
                box(start, at, full, height, fill="faint"),
            ]
            share = min(max(bar.share, 0.0), 1.0)
            if share > 0:
                marks.append(box(start, at, full * share, height, fill="orange" if bar.chosen else "blue"))
            if bar.before is not None:
                mark = start + full * min(max(bar.before, 0.0), 1.0)
                marks.append(line([(mark, at - 1.5), (mark, at + height + 1.5)], stroke="ink", width=1.4))
            marks.append(Text(right, base, percent(bar.share), small, "end", "soft"))
            about = () if bar.number is None else (("state", str(bar.number)),)
            items.append(Group(tuple(marks), "state", about, f"{bar.label}: {percent(bar.share)}"))
            y += self.row
        return items

    def _density(self, density: Density, left: float, top: float) -> list[Item]:
        """The mean, the curve over its axis, before evidence as a line, and the ends of the axis."""
        small = SMALL * self.size
        width = self.width - 2 * PADDING_X * self.size
        base, height = top + 3.1 * self.row, 1.9 * self.row
        color = "orange" if density.chosen else "blue"

        def place(point: tuple[float, float]) -> tuple[float, float]:
            return left + width * min(max(point[0], 0.0), 1.0), base - height * point[1]

        def outline(points: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
            first = place(points[0])
            return [(first[0], base), first] if len(points) == 1 else [place(point) for point in points]

        curve = outline(density.curve)
        words = Text(left + width / 2, top + 0.86 * self.row, density.words, small, bold=density.chosen)
        items: list[Item] = [words]
        if len(density.curve) > 1:
            items.append(polygon([(left, base), *curve, (left + width, base)], fill=f"{color}-fill"))
        items.append(line([(left, base), (left + width, base)], stroke="border", width=0.8))
        items.append(line(curve, stroke=color, width=1.6 if len(density.curve) > 1 else 2.4))
        if density.before:
            items.append(line(outline(density.before), stroke="ink", width=0.9, dash=(3, 2)))
        low, high = density.ends
        items.append(Text(left, base + 0.72 * self.row, low, SMALL * small, "start", "soft"))
        items.append(Text(left + width, base + 0.72 * self.row, high, SMALL * small, "end", "soft"))
        return [Group(tuple(items), "density", (), f"{self.look.name}: {density.words}")]


def percent(share: float) -> str:
    """A share in percent: one decimal, and never a rounded 0 or 100 for what is neither.

    >>> percent(0.25), percent(0.0001), percent(1.0)
    ('25.0 %', '<0.1 %', '100 %')
    """
    if share <= 0:
        return "0 %"
    if share >= 1:
        return "100 %"
    if share < 0.0005:
        return "<0.1 %"
    if share > 0.9995:
        return ">99.9 %"
    return f"{100 * share:.1f} %"
