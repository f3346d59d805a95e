"""Writes the table of characters that runtime/host/values/cases.h reads, as this Python knows them:
list_cases.py OUTPUT

CPython has no public function that tells a program in C how a character changes its case, and whether
it may stand in a name. What methods of str say about it is asked here, once, when gridcell is built.
"""
import itertools
import pathlib
import sys

BLOCK = 128
NAME_START, NAME_PART, CASED, IGNORABLE = 1, 2, 4, 8


def flags_of(c):
    # the lower-case sigma at the end of a word is another one: what precedes it tells
    follows_cased = (c + "Σ").lower().endswith("ς")
    is_skipped = ("a" + c + "Σ").lower().endswith("ς") and not follows_cased
    return (NAME_START * (c.isidentifier() and c != "_") | NAME_PART * ("a" + c).isidentifier()
            | CASED * (c + "a").title().endswith("a") | IGNORABLE * is_skipped)


def record_of(code):
    """Flags, then for lower, upper, title and folded how far away the one character is, or the three."""
    c = chr(code)
    changed = (c.lower(), c.upper(), c.title(), c.casefold())
    return flags_of(c), tuple(tuple(map(ord, text)) if len(text) > 1 else ord(text) - code for text in changed)


def rows_of(records):
    """The records as C, and the texts of more than one character that they refer to."""
    texts = []
    for flags, changes in records:
        cells = []
        for change in changes:
            if isinstance(change, tuple):
                texts.append((*change, *([0] * (3 - len(change)))))
                cells.append(f"{{{len(texts)}, {len(change)}}}")
            else:
                cells.append(f"{{{change}, 1}}")
        yield f"    {{{{{', '.join(cells)}}}, {flags}}},"
    yield "};"
    yield "const uint32_t case_texts[][3] = {"
    yield from (f"    {{{', '.join(map(str, text))}}}," for text in texts)
    yield "};"


def numbers(values):
    for start in range(0, len(values), 24):
        yield "    " + " ".join(f"{value}," for value in values[start:start + 24])


def main(output):
    known, of_character = {}, []
    for code in range(sys.maxunicode + 1):
        # half of a pair is no character, and asks for nothing
        record = record_of(code)
        of_character.append(known.setdefault(record, len(known)))
    blocks, of_block = {}, []
    for start in range(0, len(of_character), BLOCK):
        block = tuple(of_character[start:start + BLOCK])
        of_block.append(blocks.setdefault(block, len(blocks)))
    flat = list(itertools.chain.from_iterable(blocks))
    lines = ['#include "runtime/host/values/cases.h"', "", "const struct case_record case_records[] = {",
             *rows_of(known), "const uint16_t case_blocks[] = {", *numbers(of_block), "};",
             "const uint16_t case_numbers[] = {", *numbers(flat), "};", ""]
    pathlib.Path(output).write_text("\n".join(lines))


main(sys.argv[1])
