"""Completion in cells that have not run: what their own text says of the names in them, without jedi and without a call."""
import time

import pytest

CLASS = ("class Box(dict):\n    size: list[str]\n    other = None\n    def __init__(self, x: int = 1):\n        self.held = [x]\n"
         "        self.told: str = None\n    def pair(self): return self.held, 'x'\n    def me(self) -> 'Box': ...\n"
         "    @property\n    def kind(self): return {'a': {'b': 2.5}}\n")

# the text up to the cursor, and names that are found; those that are not, behind a stroke
CASES = [
    ("x = 'a'\nx.", "upper | append"), ("x = 'a'; x.", "upper"), ("x = [1]\nx[0].", "bit_length | append"),
    ("x: list[int]\ny = 3 + x[0].", "bit_length"), ("x: dict[str, list[int]]\nx['a'].", "append"),
    ("x: int | str = 'a'\nx.", "upper bit_length"), ("from typing import Optional\nx: Optional[str]\nx.", "upper"),
    ("x = {'a': [], 'b': 1}\nx['a'].", "append | bit_length"), ("x = {'a': 1}\nx['b'] = []\nx['b'].", "append | bit_length"),
    ("x = 1, 'a'\na, b = x\nb.", "upper | bit_length"), ("a, *b = [1, 2]\na.", "bit_length"),
    ("for i, word in enumerate(['a']):\n    word.", "upper | bit_length"), ("for i in range(3):\n    i.", "bit_length"),
    ("for k, v in {'a': 1}.items():\n    v.", "bit_length | upper"), ("for a, b in zip([1], 'x'):\n    b.", "upper"),
    ("x = [w for w in ['a']]\nx[0].", "upper"), ("x = {1: w for w in ['a']}\nx[1].", "upper"),
    ("x = [1][1:]\nx.", "append"), ("x = 1 / 2\nx.", "is_integer"), ("x = 1 + 2.0\nx.", "is_integer"),
    ("x = f'{1}'\nx.", "upper"), ("x = not 1\nx.", "bit_length"), ("x = 'a' if 1 else []\nx.", "upper append"),
    ("y = 1\nif (n := 'a') and n.", "upper"), ("x = sorted({'a'})\nx[0].", "upper"), ("x = 'a b'.split()\nx.", "append"),
    ("with (x := open('f')) as f:\n    pass\nx = 'a'\nx.", "upper"),
    ("x = []\nif c:\n    x = 'a'\nelse:\n    x.", "append | upper"), ("x = []\nwhile c:\n    x = 'a'\nx.", "append upper"),
    ("try:\n    x = 1\nexcept E:\n    x = 'a'\nx.", "bit_length upper"), ("match v:\n    case 1:\n        x = 'a'\nx.", "upper"),
    ("def f(a: str, n=1):\n    a.", "upper"), ("def f(a: str, n=1):\n    n.", "bit_length"),
    ("def f():\n    if c: return 1\n    return 'a'\nf().", "bit_length upper"), ("f = lambda: [1]\nf()[0].", "bit_length"),
    ("async def f(): return []\nf().", "cr_await | append"), ("async def f(): return []\n(await f()).", "append"),
    ("def f(): return f()\nf().", "| append"), ("def f(n): return n\nf(1).", "| bit_length"),
    (CLASS + "b = Box()\nb.", "size other held told pair me kind keys | bit_length"), (CLASS + "Box().size[0].", "upper"),
    (CLASS + "Box().held[0].", "bit_length"), (CLASS + "Box().told.", "upper"), (CLASS + "Box().pair()[1].", "upper"),
    (CLASS + "Box().me().me().", "held"), (CLASS + "Box().kind['a']['b'].", "is_integer"), (CLASS + "Box.", "pair other"),
    (CLASS + "    def late(self):\n        self.", "held pair keys"), (CLASS + "class C(Box): pass\nC().", "held keys"),
    ("import sys as j\nj.", "path"), ("from os import path as d\nd.", "join"),
    ("%matplotlib inline\nx = 'a'\nx.", "upper"), ("x = 'a'\nf(1,\n  x.", "upper"), ("x = 'a'\ny = (\nx.", "upper"),
    ("x = 'a'\nif x.", "upper"), ("x = 'a'\nprint(f'{x.", "upper"), ("x = unknown()\nx.", "| append"),
]


@pytest.fixture
def without_jedi(cells):
    cells.ok("%config IPCompleter.use_jedi = False")
    yield cells
    cells.ok("%config IPCompleter.use_jedi = True")


def names_at(cells, code):
    return set(cells.kernel.ask("complete_request", {"code": code, "cursor_pos": len(code)}).content["matches"])


def test_what_the_text_says(without_jedi):
    wrong = {}
    for code, expected in CASES:
        found, absent = (set(words.split()) for words in (expected + " |").split("|")[:2])
        names = names_at(without_jedi, code)
        if not found <= names or absent & names:
            wrong[code] = found - names, absent & names
    assert not wrong


def test_what_lives_is_asked_first(without_jedi):
    """It knows its own attributes, unless the cell makes something else of the name."""
    without_jedi.ok("class Frame:\n    pass\nframe, word = Frame(), 'a'\nframe.column = 1\ncalled = []\n"
                    "def call(): called.append(1); return 'a'")
    assert "column" in names_at(without_jedi, "frame = Frame()\nframe.")
    assert names_at(without_jedi, "frame = 'a'\nframe.") >= {"upper"}
    assert "column" not in names_at(without_jedi, "frame = 'a'\nframe.")
    assert "upper" in names_at(without_jedi, "x = call()\nword.")
    without_jedi.ok("class Wide(Frame):\n    extra = 1\ndef make() -> Frame: return Wide()\nmade = make()")
    assert "extra" in names_at(without_jedi, "made = make()\nmade.")
    edited = names_at(without_jedi, "class Frame:\n    def added(self): pass\nframe = Frame()\nframe.")
    assert edited >= {"added", "column"}
    assert "column" in names_at(without_jedi, "other = frame\nother.")
    assert names_at(without_jedi, "mask = frame > 1\nmask.") == set()
    assert "bit_length" in names_at(without_jedi, "there = frame is None\nthere.")
    assert "extra" in names_at(without_jedi, "twice = 2 * made\ntwice.")
    assert names_at(without_jedi, "x = [call()]\nx[0].") == set() and without_jedi.result("called") == "[]"


def test_long_cells_are_read_at_once(without_jedi):
    code = "".join(f"def f{i}(a: int):\n    b = [a, f{max(i - 1, 0)}(a)]\n    return b\n" for i in range(300)) + "f299(1)."
    start = time.monotonic()
    assert "append" in names_at(without_jedi, code)
    assert time.monotonic() - start < 1
