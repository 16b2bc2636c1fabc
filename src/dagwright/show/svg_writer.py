"""Scenes as SVG text: self-contained, every name escaped, light, dark or as the reader's system says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dagwright.show.colors import DARK, LIGHT, Theme
from dagwright.show.scene import Group, Item, Path, Scene, Text

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


def escaped(text: str) -> str:
    """Text for XML and HTML, inside elements and quoted attributes; what XML cannot hold becomes U+FFFD.

    >>> escaped('<script>"')
    '&lt;script&gt;&quot;'
    """
    return "".join(_ESCAPES.get(letter, letter if _allowed(letter) else "\ufffd") for letter in text)


def _allowed(letter: str) -> bool:
    """The characters of XML 1.0, production 2."""
    code = ord(letter)
    return code in (9, 10, 13) or 32 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or code > 0xFFFF


def number(value: float) -> str:
    """At most two decimals and no more digits than needed."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def write_svg(scene: Scene, theme: Theme = "auto", *, inline: bool = False) -> str:
    """The SVG document of a scene; ``inline`` leaves out the background, for pages that have their own."""
    colors = DARK if theme == "dark" else LIGHT
    writer = _Writer(colors, classes=theme == "auto")
    width, height = number(scene.width), number(scene.height)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="dw" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{FONT}"'
        + (f' aria-label="{escaped(scene.label)}"' if scene.label else "")
        + ">"
    ]
    if theme == "auto":
        parts.append(f"<style>{_style_sheet(writer.used(scene, inline))}</style>")
    if not inline:
        parts.append(f'<rect width="{width}" height="{height}"{writer.paint("fill", scene.paper)}/>')
    parts += writer.items(scene.items)
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def _style_sheet(names: Iterable[str]) -> str:
    """Colors as CSS variables that follow the system or, in a notebook or a site, the page."""
    used = sorted(names)

    def values(colors: dict[str, str]) -> str:
        return "{" + ";".join(f"--dw-{name}:{colors[name]}" for name in used) + "}"

    light, dark = values(LIGHT), values(DARK)
    rules = [
        f".dw{light}",
        f"@media (prefers-color-scheme:dark){{.dw{dark}}}",
        f"[data-jp-theme-light=true] .dw,[data-md-color-scheme=default] .dw,.vscode-light .dw{light}",
        f"[data-jp-theme-light=false] .dw,[data-md-color-scheme=slate] .dw,.vscode-dark .dw{dark}",
    ]
    rules += [
        f".dw .dw-f-{name}{{fill:var(--dw-{name})}}.dw .dw-s-{name}{{stroke:var(--dw-{name})}}"
        for name in used
    ]
    return "".join(rules)


class _Writer:
    def __init__(self, colors: dict[str, str], *, classes: bool) -> None:
        self.colors, self.classes = colors, classes

    def used(self, scene: Scene, inline: bool) -> set[str]:
        names = set() if inline else {scene.paper}
        for mark in scene.marks():
            names |= {mark.fill} if isinstance(mark, Text) else {mark.fill, mark.stroke}
        return names - {"none"}

    def paint(self, what: str, name: str, also: str = "") -> str:
        """A paint as an attribute, and as a class where a style sheet may change it."""
        if name == "none":
            return f' {what}="none"' if what == "fill" else ""
        classes = f' class="{also}dw-{what[0]}-{name}"' if self.classes else ""
        return f'{classes} {what}="{self.colors[name]}"'

    def items(self, items: Iterable[Item]) -> Iterator[str]:
        for item in items:
            if isinstance(item, Group):
                yield from self.group(item)
            elif isinstance(item, Text):
                yield self.text(item)
            else:
                yield self.path(item)

    def group(self, group: Group) -> Iterator[str]:
        role = f' class="dw-{group.role}"' if group.role else ""
        about = "".join(f' data-{key}="{escaped(value)}"' for key, value in group.about)
        title = f"<title>{escaped(group.title)}</title>" if group.title else ""
        yield f"<g{role}{about}>{title}"
        yield from self.items(group.items)
        yield "</g>"

    def path(self, path: Path) -> str:
        data = "".join(
            "".join(
                part if isinstance(part, str) else f"{number(part[0])} {number(part[1])} " for part in piece
            )
            for piece in path.pieces
        ).rstrip()
        if path.fill != "none" and path.stroke != "none" and self.classes:
            paint = (
                f' class="dw-f-{path.fill} dw-s-{path.stroke}" fill="{self.colors[path.fill]}"'
                f' stroke="{self.colors[path.stroke]}"'
            )
        else:
            paint = self.paint("fill", path.fill) + self.paint("stroke", path.stroke)
        if path.stroke != "none":
            paint += f' stroke-width="{number(path.width)}"'
            if path.dash:
                paint += f' stroke-dasharray="{" ".join(map(number, path.dash))}"'
        return f'<path d="{data}"{paint}/>'

    def text(self, text: Text) -> str:
        x, y = number(text.x), number(text.y)
        rest = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
        rest += ' font-weight="bold"' if text.bold else ""
        rest += f' transform="rotate(-90 {x} {y})"' if text.turned else ""
        if text.fit is not None:
            rest += f' textLength="{number(text.fit)}" lengthAdjust="spacingAndGlyphs"'
        paint = self.paint("fill", text.fill)
        return (
            f'<text x="{x}" y="{y}" font-size="{number(text.size)}"{rest}{paint}>{escaped(text.text)}</text>'
        )
