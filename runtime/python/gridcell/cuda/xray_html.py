# SPDX-License-Identifier: MIT
"""An XRay as HTML: colours are the page's own, so that it reads in light and dark themes and in print."""
from html import escape

# selectors of some weight: JupyterLab has rules of its own for the cells of tables
_STYLE = """
.gridcell-xray .wide { overflow-x: auto; scrollbar-width: thin; }
.gridcell-xray table { border-collapse: collapse; margin: .5em 0; font-size: 80%; color: inherit; }
.gridcell-xray table tr th, .gridcell-xray table tr td { padding: .15em .35em; text-align: right; white-space: nowrap;
  vertical-align: baseline; border-bottom: 1px solid rgba(128, 128, 128, .35); }
.gridcell-xray table tr th { white-space: normal; vertical-align: bottom; }
.gridcell-xray table tr th.text, .gridcell-xray table tr td.text { text-align: left; }
.gridcell-xray table tr td.source { min-width: 8em; max-width: 22em; white-space: normal; overflow-wrap: anywhere; }
.gridcell-xray table td code { font-size: inherit; white-space: pre-wrap; background: none; padding: 0; color: inherit; }
.gridcell-xray .note { opacity: .8; font-size: 90%; }
.gridcell-xray table tr.marked td { font-weight: bold; }
@media print {
  .gridcell-xray .wide { overflow: visible; }
  .gridcell-xray table { font-size: 65%; }
  .gridcell-xray table tr, .gridcell-xray li { break-inside: avoid; }
  .gridcell-xray details::details-content { content-visibility: visible; display: block; }
}
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
    return f'<div class="wide"><table><thead>{cells[0]}</thead><tbody>{"".join(cells[1:])}</tbody></table></div>'


def _row(row, heading, tag, style):
    cells = [f'<{tag}{_style_of(name)}{_bar(text, name, tag)}>{_cell(text, name, tag)}</{tag}>'
             for text, name in zip(row, heading)]
    return f'<tr class="{style}">{"".join(cells)}</tr>'


def _style_of(name):
    return f' class="{"text source" if name == "source" else "text"}"' if name in _TEXT_COLUMNS else ""


def _bar(text, name, tag):
    """Behind a share, as much of the cell."""
    if tag != "td" or name != "efficiency" or not text:
        return ""
    return f' style="background: linear-gradient(to right, rgba(128, 128, 128, .35) {text}, transparent {text})"'


def _cell(text, name, tag):
    if tag == "td" and name == "source":
        return f"<code>{escape(text)}</code>"
    return escape(text)
