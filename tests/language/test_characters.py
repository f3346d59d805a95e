"""Every character, as compiled code and this Python see it: tables of ours must not fall behind Python's."""
import sys

import pytest
from numba import njit

CHANGES = ["lower", "upper", "title", "casefold", "capitalize", "swapcase"]
QUESTIONS = ["isalpha", "isdecimal", "isdigit", "isnumeric", "islower", "isupper", "istitle", "isspace",
             "isprintable", "isidentifier"]
# halves of pairs stand for nothing
ALL = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
BLOCK = 0x4000
BLOCKS = ["\0".join(ALL[start:start + BLOCK]) for start in range(0, len(ALL), BLOCK)]


def compiled(body):
    scope = {}
    exec(f"def f(s):\n{body}", scope)
    return scope["f"], njit(scope["f"])


@pytest.mark.parametrize("name", CHANGES)
def test_change(name):
    plain, ours = compiled(f"    return s.{name}()\n")
    for block in BLOCKS:
        assert ours(block) == plain(block)


@pytest.mark.parametrize("name", QUESTIONS)
def test_question(name):
    plain, ours = compiled(f"    return [c.{name}() for c in s]\n")
    for block in BLOCKS:
        assert ours(block) == plain(block)


@pytest.mark.parametrize("expression", [
    "('a' + c).isidentifier()",            # within a name
    "(c + 'a').title()[-1] == 'a'",        # whether it has case
    "(c + '\\u03a3').lower()[-1]",         # the sigma at the end of a word
    "('a' + c + '\\u03a3').lower()[-1]",   # what such a sigma looks past
])
def test_neighbours(expression):
    plain, ours = compiled(f"    return [{expression} for c in s]\n")
    for block in BLOCKS:
        assert ours(block) == plain(block)
