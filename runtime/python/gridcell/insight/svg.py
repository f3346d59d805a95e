# SPDX-License-Identifier: MIT
"""Drawings in SVG. Lines and texts have the colour of the page's own text, series a middle tone that stands out on
white and on black and differs in grey, so that they read in light and dark themes and in print."""
from html import escape

COLOURS = ("#2f7ed8", "#d9652b", "#2e9e5b", "#9b59b6", "#b8860b", "#c0392b", "#16a0a0", "#7f8c8d")
DASHES = ("", "6 3", "2 3", "8 3 2 3")


def colour(number):
    return COLOURS[number % len(COLOURS)]


class Drawing:
    """Elements on a page of a width and height, in the order in which they lie on each other."""

    def __init__(self, width, height, title):
        self.width, self.height, self.title = width, height, title
        self._parts = []

    def _add(self, tag, content=None, hover=None, **attributes):
        texts = "".join(f' {name.replace("_", "-")}="{escape(str(value))}"' for name, value in attributes.items()
                        if value is not None)
        hover = f"<title>{escape(hover)}</title>" if hover else ""
        content = hover + (escape(content) if content else "")
        self._parts.append(f"<{tag}{texts}>{content}</{tag}>" if content else f"<{tag}{texts}/>")

    def line(self, x1, y1, x2, y2, stroke="currentColor", width=1, opacity=None, dash=None, hover=None):
        self._add("line", hover=hover, x1=_number(x1), y1=_number(y1), x2=_number(x2), y2=_number(y2), stroke=stroke,
                  stroke_width=width, opacity=opacity, stroke_dasharray=dash or None)

    def box(self, x, y, width, height, fill="none", stroke=None, opacity=None, hover=None, rounding=None):
        self._add("rect", hover=hover, x=_number(x), y=_number(y), width=_number(width), height=_number(height),
                  fill=fill, stroke=stroke, fill_opacity=opacity, rx=rounding)

    def dot(self, x, y, radius, fill, hover=None):
        self._add("circle", hover=hover, cx=_number(x), cy=_number(y), r=radius, fill=fill, stroke="currentColor")

    def text(self, x, y, text, anchor="start", size=11, opacity=None, weight=None, turn=None, fill="currentColor"):
        turn = f"rotate({turn} {_number(x)} {_number(y)})" if turn else None
        self._add("text", text, x=_number(x), y=_number(y), text_anchor=anchor, font_size=size, fill=fill,
                  opacity=opacity, font_weight=weight, transform=turn)

    def svg(self):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_number(self.width)} {_number(self.height)}" '
                f'width="{_number(self.width)}" style="max-width: 100%; height: auto; break-inside: avoid" role="img" '
                f'aria-label="{escape(self.title)}" font-family="sans-serif">'
                f"<title>{escape(self.title)}</title>{''.join(self._parts)}</svg>")


def _number(value):
    return f"{value:.6g}" if isinstance(value, float) else str(value)


class Picture:
    """Something to look at: a drawing in notebooks, a text in consoles."""

    def drawing(self):
        raise NotImplementedError

    def to_svg(self):
        """The drawing as the text of an SVG file."""
        return self.drawing().svg()

    def save(self, path):
        """Writes the drawing into an SVG file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_svg())

    def _repr_html_(self):
        return f'<div class="gridcell-picture">{self.to_svg()}</div>'

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": repr(self), "text/html": self._repr_html_()}
