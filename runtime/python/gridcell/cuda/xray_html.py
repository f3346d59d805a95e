# SPDX-License-Identifier: MIT
"""An XRay as HTML: colours are the page's own, so that it reads in light and dark themes and in print."""
from html import escape

_STYLE = """
.gridcell-xray { overflow-x: auto; }
.gridcell-xray table { border-collapse: collapse; margin: .5em 0; font-size: inherit;
  color: inherit; }
.gridcell-xray th, .gridcell-xray td { padding: .15em .6em; text-align: right; white-space: nowrap;
  border-bottom: 1px solid rgba(128, 128, 128, .35); }
.gridcell-xray .text { text-align: left; }
.gridcell-xray .note { opacity: .75; font-size: 90%; }
.gridcell-xray .bar { display: inline-block; width: 4em; height: .6em; border: 1px solid currentColor;
  margin-right: .5em; }
.gridcell-xray .bar span { display: block; height: 100%; background: currentColor; opacity: .6; }
.gridcell-xray .marked { font-weight: bold; }
"""
_TEXT_COLUMNS = {"source", "space", "op", "loop", ""}


def page(result):
    """The whole of a result."""
    marked = {text.split(",")[0].removeprefix("Line ") for text in result.verdict}
    parts = [f"<style>{_STYLE}</style>", f"<b><code>{escape(result._heading())}</code></b>"]
    parts += [f'<div class="note">{escape(note)}</div>' for note in result._notes()]
    parts += [_table(rows, marked) for rows in result.tables()]
    if result.verdict:
        parts.append("<ol>%s</ol>" % "".join(f"<li>{escape(text)}</li>" for text in result.verdict))
        parts += _pictures(result)
    else:
        parts.append("<p>Nothing stands out.</p>")
    return f'<div class="gridcell-xray">{"".join(parts)}</div>'


def _pictures(result):
    """Of each access that the verdict is about: the lanes of a warp, folded away."""
    for row in result._accesses:
        if not any(text.startswith(f"Line {row.line}, {row.access}:") for text in result.verdict):
            continue
        try:
            picture = result.access_picture(row.line, access=row.access)
        except ValueError:  # the first warp of the first block is never there
            continue
        yield f"<details><summary>{escape(repr(picture))}</summary>{picture.to_svg()}</details>"


def _table(rows, marked):
    heading, *body = rows
    cells = [_row(heading, heading, "th", "")]
    cells += [_row(row, heading, "td", "marked" if row[0] in marked else "") for row in body]
    return f"<table><thead>{cells[0]}</thead><tbody>{''.join(cells[1:])}</tbody></table>"


def _row(row, heading, tag, style):
    cells = [f'<{tag}{_style_of(name)}>{_cell(text, name, tag)}</{tag}>' for text, name in zip(row, heading)]
    return f'<tr class="{style}">{"".join(cells)}</tr>'


def _style_of(name):
    return ' class="text"' if name in _TEXT_COLUMNS else ""


def _cell(text, name, tag):
    if tag == "td" and name == "efficiency" and text:
        return f'<span class="bar"><span style="width: {escape(text)}"></span></span>{escape(text)}'
    if tag == "td" and name == "source":
        return f"<code>{escape(text)}</code>"
    return escape(text)
