# SPDX-License-Identifier: MIT
"""Links in Markdown: what is one, and what is code."""
import re

LINK = re.compile(r"(?<!\\)\[([^\]]*)\]\(([^)#\s]*)(#[^)]*)?\)")
FENCE = re.compile(r"^\s*(```|~~~)")
CODE = re.compile(r"(`[^`]*`)")
HEADING = re.compile(r"^#+ +(.*)$", re.M)


def outside_code(text, change):
    """The text, with `change` made to what is no code."""
    parts, is_code = [], False
    for line in text.splitlines(keepends=True):
        if FENCE.match(line):
            is_code = not is_code
        parts += [line] if is_code else [part if part.startswith("`") else change(part) for part in CODE.split(line)]
    return "".join(parts)


def links(text):
    """(target, anchor) of each link to a file or to a heading: either may be empty."""
    found = []
    outside_code(text, lambda prose: found.extend(
        (target, (anchor or "")[1:]) for _, target, anchor in LINK.findall(prose) if "://" not in target) or prose)
    return found


def anchors(text):
    """What the headings of a page are called in links."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in HEADING.findall(text)}
