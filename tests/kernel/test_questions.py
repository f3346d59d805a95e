"""Completion, inspection, completeness, history."""
import re
import time

import pytest


def matches(kernel, code, cursor=None):
    content = kernel.ask("complete_request", {
        "code": code, "cursor_pos": len(code) if cursor is None else cursor}).content
    assert content["status"] == "ok"
    types = content["metadata"]["_jupyter_types_experimental"]
    assert [entry["text"] for entry in types] == content["matches"]
    return content


@pytest.mark.parametrize("code, expected", [
    ("zi", {"zip"}),
    ("import os; os.pat", {"path", "pathconf", "pathconf_names", "pathsep"}),
    ("lam", {"lambda"}),
    ("%tim", {"%time", "%timeit", "%%time", "%%timeit"}),
    ("%%writef", {"%%writefile"}),
    ("import graphli", {"graphlib"}),
    ("import importlib.machi", {"importlib.machinery"}),
    ("from os import getpi", {"getpid"}),
    ("nosuch.x", set()),
])
def test_completions(kernel, code, expected):
    assert set(matches(kernel, code)["matches"]) == expected


@pytest.mark.parametrize("code, expected", [
    ("d['a", ["a\\nb", "a\\'b", 'a"b']), ('d["a', ["a\\nb", "a'b", 'a\\"b']), ("d[b'", ["xy"]), ("d[0x", ["0x11"]),
    ("d[1", ["17"]), ("d['t', ", ["5"]), ("d['a' ", []), ("d['a' + '", []), ("d[None, ", []), ("Keys['q", ["qq"]),
])
def test_keys(kernel, code, expected):
    kernel.run("d = {'a\\nb': 0, \"a'b\": 0, 'a\"b': 0, b'xy': 0, 17: 0, ('t', 5): 0, (None, object()): 0}\n"
               "class Keys:\n    @classmethod\n    def _ipython_key_completions_(cls): return ['qq']")
    found = matches(kernel, code)
    kinds = {entry["text"]: entry["type"] for entry in found["metadata"]["_jupyter_types_experimental"]}
    assert sorted(text for text, kind in kinds.items() if kind == "dict key") == sorted(expected)


def test_brackets_are_closed_where_asked(kernel):
    kernel.run("d = {('aa', 11): 0, ('bb', 22): 0, 'bb': 0, 'cc': 0, 99: 0}\n"
               "get_ipython().Completer.auto_close_dict_keys = True")
    assert matches(kernel, "d[")["matches"] == ["'aa', ", "'bb'", "'cc']", "99]"]
    assert matches(kernel, "d['aa', ")["matches"][0] == "11]"
    assert matches(kernel, "d['c")["matches"] == ["cc']"]
    kernel.run("get_ipython().Completer.auto_close_dict_keys = False")


def test_shortened_names_and_magics_behind_variables(kernel):
    kernel.run("some_long_name = timeit = 1")
    assert matches(kernel, "print(s_l_n")["matches"] == ["some_long_name"]
    assert matches(kernel, "s_name")["matches"] == []
    assert matches(kernel, "timei")["matches"] == ["timeit"]
    kernel.run("del timeit")
    assert matches(kernel, "timei")["matches"] == ["%timeit", "%%timeit"]
    assert "Context" in matches(kernel, "xmode ")["matches"]


@pytest.mark.parametrize("code, expected, start", [
    ("\\alpha", ["α"], 0), ("x = \\alph", ["\\alpha"], 4), ("\\α", ["\\alpha"], 0), ("x\\_1", ["₁"], 1),
    ("\\bbR", ["ℝ"], 0), ("x\\hat", ["\u0302"], 1), ("\\GREEK SMALL LETTER BETA", ["β"], 0),
    ("\\leftrightar", ["\\leftrightarrow"], 0), ("print('\\infty", ["∞"], 7), ("'a\\n", [], None),
    ("\\nosuch", [], None),
])
def test_symbols_by_their_names(kernel, code, expected, start):
    found = matches(kernel, code)
    if expected and len(expected[0]) > 1:
        found["matches"] = [name for name in found["matches"] if name in expected]
    assert found["matches"] == expected
    assert start is None or found["cursor_start"] == start


RESULTS = '''
import typing
class Part:
    count: int = 1
    def grow(self) -> "Part": called.append(1)
    def name(self) -> str: called.append(1)
    def maybe(self) -> "Part | None": called.append(1)
    def other(self) -> typing.Optional[dict]: called.append(1)
    @property
    def items(self) -> list: called.append(1)
    @classmethod
    def make(cls) -> typing.Self if hasattr(typing, "Self") else "Part": called.append(1)
def build() -> Part: called.append(1)
def unknown(x): called.append(1)
called = []
part = Part()
'''


@pytest.mark.parametrize("code, expected", [
    ("'abc'.upper().spl", {"split", "splitlines"}), ("'a b'.split().cou", {"count"}), ("Part().gro", {"grow"}),
    ("build().gro", {"grow"}), ("build().grow().nam", {"name"}), ("part.name().is_upp", set()),
    ("part.name().isupp", {"isupper"}), ("part.maybe().gr", {"grow"}), ("part.other().ke", {"keys"}),
    ("part.grow().items.app", {"append"}), ("Part.make().gro", {"grow"}), ("len('a').bit_l", {"bit_length"}),
    ("(1).to_bytes().dec", {"decode"}), ("{}.items().isd", {"isdisjoint"}), ("f'{1}'.cap", {"capitalize"}),
    ("sorted([3]).rev", {"reverse"}), ("Part().cou", {"count"}),
])
def test_attributes_of_what_a_call_gives(kernel, code, expected):
    kernel.run(RESULTS + "get_ipython().Completer.use_jedi = False")
    assert set(matches(kernel, code)["matches"]) == expected
    assert kernel.run("print(called)").text() == "[]\n"  # nothing was called for it
    kernel.run("get_ipython().Completer.use_jedi = True")


def test_completion_of_the_users_names(kernel):
    kernel.run("gridlock = {'a': 1}\nclass Thing:\n    colour = 1\n    _private = 2\nthing = Thing()")
    assert matches(kernel, "x = gridl")["matches"] == ["gridlock"]
    assert matches(kernel, "thing.")["matches"] == ["colour"]
    assert "_private" in matches(kernel, "thing._p")["matches"]
    content = matches(kernel, "thing.col")
    assert (content["cursor_start"], content["cursor_end"]) == (6, 9)


def test_completion_counts_characters(kernel):
    kernel.run("größe = 1")
    content = matches(kernel, "'é'; grö")
    assert content["matches"] == ["größe"]
    assert (content["cursor_start"], content["cursor_end"]) == (5, 8)


def test_completion_of_files(kernel, tmp_path):
    (tmp_path / "data.csv").touch()
    assert matches(kernel, f"open('{tmp_path}/da")["matches"] == [f"{tmp_path}/data.csv"]


def test_completion_of_keys(kernel):
    kernel.run("import numpy as np, pandas as pd, os\n"
               "table = {'first': 1, 'fast': 2, 'second': 3, 4: 5}\n"
               "pairs = {('a', 'b'): 1, ('a', 'c'): 2, ('x', 'y'): 3}\n"
               "records = np.zeros(3, dtype=[('mass', float), ('place', int)])\n"
               "frame = pd.DataFrame({'left': [1], 'lower': [2], 'top': [3]})\n"
               "class Keys:\n    def _ipython_key_completions_(self): return ['mine']\nkeys = Keys()")
    content = matches(kernel, "table['f")
    assert content["matches"] == ["fast", "first"]
    assert (content["cursor_start"], content["cursor_end"]) == (7, 8)
    for code, expected in [
            ("table[", ["'fast'", "'first'", "'second'", "4"]), ("pairs['a', '", ["b", "c"]),
            ("records['", ["mass", "place"]), ("frame['l", ["left", "lower"]),
            ("frame.loc[0, 'l", []), ("frame.loc['l", ["left", "lower"]), ("keys[\"m", ["mine"]),
            ("f'{table[\"se", ["second"]), ("frame.lef", ["left"])]:
        assert matches(kernel, code)["matches"] == expected, code
    assert "HOME" in matches(kernel, "os.environ['HO")["matches"]
    assert "sum" in matches(kernel, "frame.left.su")["matches"]
    assert "shape" in matches(kernel, "records.T.sha")["matches"]


def test_completion_in_a_cell_that_has_not_run(kernel):
    for code, expected in [
            ("def f(alphabet, *, betamax=1):\n    alph", ["alphabet"]),
            ("for kappa in range(3):\n    kap", ["kappa"]),
            ("with open('x') as handle:\n    han", ["handle"]),
            ("lambda zeta: zet", ["zeta"]), ("[omega for omeg", []),
            ("'''a\nb''' ; x = 'abc'.upp", ["upper"]),
            ("[1, 2].app", ["append"]), ("{}.popit", ["popitem"]), ("# gridl", []), ("'{gridl", [])]:
        assert matches(kernel, code)["matches"] == expected, code
    # no object exists yet: jedi knows
    content = matches(kernel, "from fractions import Fraction\ny = Fraction(1)\ny.numer")
    assert content["matches"] in (["numerator"], [])  # nothing if it takes jedi more than a second


def test_completion_of_parameters(kernel):
    kernel.run("import numpy as np, math\nfrom numba import njit\n"
               "def area(width, height=2, *, depth: int = 3, **more): pass\n"
               "class Box:\n    def __init__(self, weight, colour='red'): pass\n"
               "    def move(self, distance): pass\nbox = Box(1)\n"
               "@njit\ndef compiled(first, second): return first")
    assert matches(kernel, "area(1, ")["matches"][:3] == ["depth=", "height=", "width="]
    assert "width=" not in matches(kernel, "area(width=max(1, 2), ")["matches"]
    for code, expected in [("area(wid", "width="), ("Box(col", "colour="), ("np.zeros(sha", "shape="),
                           ("box.move(\n    dist", "distance="), ("compiled(secon", "second="),
                           ("sorted([3], rever", "reverse=")]:
        assert matches(kernel, code)["matches"][0] == expected
    types = matches(kernel, "are")["metadata"]["_jupyter_types_experimental"]
    assert types == [{"start": 0, "end": 3, "text": "area", "type": "function",
                      "signature": "(width, height=2, *, depth=3, **more)"}]
    types = matches(kernel, "box.mov")["metadata"]["_jupyter_types_experimental"]
    assert types[0]["signature"] == "(distance)" and types[0]["start"] == 4
    types = matches(kernel, "Bo")["metadata"]["_jupyter_types_experimental"]
    assert {entry["text"]: entry["type"] for entry in types}["Box"] == "class"


def test_completion_of_magics(kernel):
    for code, expected in [
            ("%timei", ["%timeit", "%%timeit"]), ("%%timei", ["%%timeit"]),
            ("%timeit sort", ["sorted"]), ("%matplotlib in", ["inline"]),
            ("%load_ext autorel", ["autoreload"]),
            ("%config IPCompleter.use", ["IPCompleter.use_jedi"])]:
        assert matches(kernel, code)["matches"] == expected, code
    assert "%timeit" in matches(kernel, "timei")["matches"]
    assert "-n" in matches(kernel, "%timeit -")["matches"]
    content = matches(kernel, "!cat /etc/host")
    assert "/etc/hosts" in content["matches"] and content["cursor_start"] == 5
    assert "/etc/" in matches(kernel, "%cd /et")["matches"]
    assert "/etc/" in matches(kernel, "cd /et")["matches"]
    kernel.run("from IPython.core.magic import register_line_magic\n"
               "from IPython.core.magic_arguments import magic_arguments, argument\n"
               "@register_line_magic\ndef dig_deep(line): pass")
    assert matches(kernel, "%dig")["matches"] == ["%dig_deep"]


def test_completion_is_never_held_up(kernel):
    kernel.run("import time\n"
               "class Slow:\n    tone = 1\n    def __dir__(self): time.sleep(10)\n"
               "class Loop:\n    tone = 1\n    def __dir__(self):\n        while True: pass\n"
               "class Bad:\n    tone = 1\n    def __dir__(self): 1/0\n"
               "class Asks:\n    def __getattr__(self, name): print('asked'); time.sleep(10)\n"
               "    @property\n    def inner(self): print('asked'); time.sleep(10)\n"
               "slow, loop, bad, asks = Slow(), Loop(), Bad(), Asks()")
    start = time.monotonic()
    for name in "slow", "loop", "bad":
        assert matches(kernel, f"{name}.to")["matches"] == ["tone"]
    for code in "asks.any.x", "asks.inner.x", "asks.in", "asks['a", "asks.inner(x":
        outcome = kernel.ask("complete_request", {"code": code, "cursor_pos": len(code)})
        assert outcome.text() == "", code
    assert time.monotonic() - start < 8
    assert kernel.run("print(1)").text() == "1\n"


def test_questions_while_a_cell_runs(kernel):
    kernel.run("import time\nclass Slow:\n    'Slow.'\n    tone = 1\n    def __dir__(self): time.sleep(30)\n"
               "    def __repr__(self): time.sleep(30)\nslow = Slow()")
    msg_id = kernel.client.execute("for i in range(200): time.sleep(0.1)")
    time.sleep(0.3)
    assert kernel.receive_reply(kernel.send("complete_request", {"code": "slow.to", "cursor_pos": 7}), timeout=5
                                )["content"]["matches"] == ["tone"]
    page = kernel.receive_reply(kernel.send("inspect_request", {"code": "slow", "cursor_pos": 4}), timeout=5)
    assert "Slow." in page["content"]["data"]["text/plain"]
    kernel.manager.interrupt_kernel()
    assert kernel.receive_reply(msg_id)["content"]["ename"] == "KeyboardInterrupt"
    kernel.receive_until_idle(msg_id)


def test_completion_settings(kernel):
    kernel.run("class Thing:\n    colour = 1\n    _private = 2\nthing = Thing()\n"
               "ip = get_ipython()\n%config IPCompleter.omit__names = 1")
    assert "_private" in matches(kernel, "thing.")["matches"]
    kernel.run("ip.Completer.omit__names = 2\n%config IPCompleter.use_jedi = False")
    kernel.run("def make(): return Thing()")
    assert matches(kernel, "make().col")["matches"] == []
    outcome = kernel.run("%config IPCompleter.use_jedi = True\n"
                         "print(ip.complete('thing.co'), ip.Completer.complete('x = thing.co'))")
    assert outcome.text() == "('thing.co', ['colour']) ('co', ['colour'])\n"


def test_completion_at_any_place(kernel):
    """No text and no position makes it fail."""
    code = "f\"{x['a\\\"\n%time (𝛼.b[c](d=1)'''\n!ls 'x\nfrom . import é.\n"
    for position in [*range(len(code) + 1), 10 ** 6]:
        content = kernel.ask("complete_request", {"code": code, "cursor_pos": position}).content
        assert content["status"] == "ok"
        assert 0 <= content["cursor_start"] <= content["cursor_end"] <= len(code)


def test_completion_has_no_effects(kernel):
    kernel.run("class P:\n    @property\n    def boom(self): print('called')\np = P()")
    content = matches(kernel, "p.bo")
    assert content["matches"] == ["boom"]


@pytest.mark.parametrize("code, status", [
    ("1", "complete"), ("", "complete"), ("def f(x):\n  return x*2\n\n\n", "complete"),
    ("%timeit pass", "complete"), ("!ls", "complete"), ("x = 1\n", "complete"),
    ("print('''hello", "incomplete"), ("def f(x):\n  x*2", "incomplete"), ("a = (", "incomplete"),
    ("%%timeit\nx", "incomplete"), ("for i in range(3):", "incomplete"), ("x = \\", "incomplete"),
    ("import = 7q", "invalid"), ("a b c", "invalid"), ("await f()", "complete"),
])
def test_is_complete(kernel, code, status):
    assert kernel.ask("is_complete_request", {"code": code}).content["status"] == status


@pytest.mark.parametrize("code, indent", [
    ("for i in x:", "    "), ("def f():\n    if a:", "        "), ("def f():\n    return 1", ""), ("a = (", "")])
def test_indentation_of_the_next_line(kernel, code, indent):
    assert kernel.ask("is_complete_request", {"code": code}).content["indent"] == indent


def inspect(kernel, code, cursor, level=0):
    content = kernel.ask("inspect_request",
                         {"code": code, "cursor_pos": cursor, "detail_level": level}).content
    text = content["data"].get("text/plain", "")
    return content["found"], re.sub("\x1b\\[[0-9;]*m", "", text)


def test_inspect(kernel):
    kernel.run("def area(width, height=2):\n    'The area.'\n    return width * height\n"
               "class Box:\n    'A box.'\n    def __init__(self, weight): 'Made of weight.'\n"
               "    def move(self, by): 'Moves.'\n    def __call__(self, q): 'Calls.'\n"
               "    @property\n    def slow(self): 'A property.'; print('called')\n"
               "box, five, items = Box(1), 5, [area]\nfrom IPython.core.magic import register_line_magic\n"
               "@register_line_magic\ndef dig(line):\n    'Digs a hole.'")
    found, text = inspect(kernel, "area", 4)
    assert found and text.splitlines()[:2] == [
        "Signature: area(width, height=2)", "Docstring: The area."] and text.endswith("Type:      function")
    assert "Source:   \ndef area(width" in inspect(kernel, "area", 4, 1)[1]
    for code in "x = area(3, ", "area(", "area(max(1, 2), (3", "area('fil", "area(width=", "area(\n  1,\n":
        assert "The area." in inspect(kernel, code, len(code))[1], code
    assert "The area." in inspect(kernel, "😀 = area(1)", 6)[1]
    assert "Signature: items[0](width" in inspect(kernel, "items[0]", 8)[1]
    assert inspect(kernel, "nosuch", 3) == (False, "") == inspect(kernel, "", 0)
    assert "String form: 5" in inspect(kernel, "five", 2)[1]
    assert inspect(kernel, "box.move", 8)[1].startswith("Signature: box.move(by)\nDocstring: Moves.")
    assert inspect(kernel, "box", 3)[1].splitlines()[-3:] == [
        "Docstring:      A box.", "Init docstring: Made of weight.", "Call docstring: Calls."]
    assert "Docstring:   A property." in inspect(kernel, "box.slow", 8)[1]
    assert "Init signature: Box(weight)" in inspect(kernel, "Box", 2)[1]
    assert "Docstring" in inspect(kernel, "%timeit", 5)[1]
    assert "Digs a hole." in inspect(kernel, "%dig", 4)[1]
    kernel.run("import numpy as np")
    assert "np.sin(\n    x,\n    /,\n    out=None," in inspect(kernel, "np.sin", 6)[1]
    colours = kernel.ask("inspect_request", {"code": "area", "cursor_pos": 4, "detail_level": 1}).content
    assert "\x1b[31mSource:\x1b[39m" in colours["data"]["text/plain"]
    assert "\x1b[38;5;28;01mdef\x1b[39;00m area" in colours["data"]["text/plain"]


def test_inspect_what_a_module_holds(kernel):
    """NumPy's functions and jitted ones could be bound as methods; a module binds nothing."""
    kernel.run("import numpy as np, types, numba\nmodule = types.ModuleType('module')\n"
               "module.twice = numba.njit(lambda n: 2 * n)")
    for name, text in [("np.linspace", "evenly spaced"), ("np.sum", "Sum of array elements"),
                       ("module.twice", "CPUDispatcher")]:
        found, page_text = inspect(kernel, name, len(name))
        assert found and text in page_text


def test_inspect_is_never_held_up(kernel):
    kernel.run("import time\nclass Slow:\n    'Slow.'\n    def __repr__(self): time.sleep(10)\n"
               "    def __len__(self):\n        while True: pass\nslow = Slow()")
    start = time.monotonic()
    assert "Docstring:   Slow." in inspect(kernel, "slow", 2)[1]
    assert time.monotonic() - start < 3


def test_inspect_compiled_functions(kernel):
    kernel.run("from numba import njit, vectorize, cuda\n"
               "@njit\ndef twice(x):\n    'Doubles.'\n    return x + x\ntwice(1); twice(1.0)\n"
               "@vectorize(['float64(float64)'])\ndef thrice(x):\n    'Triples.'\n    return 3 * x\n"
               "@cuda.jit\ndef fill(a):\n    'Fills.'\n    a[cuda.grid(1)] = 1\n"
               "import numpy as np\nfill[1, 4](np.zeros(4))", timeout=60)
    text = inspect(kernel, "twice", 2)[1]
    assert text.startswith("Signature: twice(x)\nDocstring: Doubles.") or "Signature:    twice(x)" in text
    assert "(int64)" in text and "(float64)" in text and "/ipykernel_" in text
    assert "return x + x" in inspect(kernel, "twice", 2, 1)[1]
    text = inspect(kernel, "thrice", 2)[1]
    assert "Triples." in text and "d->d" in text
    assert "return 3 * x" in inspect(kernel, "thrice", 2, 1)[1]
    text = inspect(kernel, "fill", 2)[1]
    assert "Fills." in text and "array(float64, 1d, C)" in text
    assert "a[cuda.grid(1)]" in inspect(kernel, "fill", 2, 1)[1]
    text = inspect(kernel, "cuda.shared.array(", 18)[1]
    assert "Signature: cuda.shared.array(shape, dtype)" in text and "Example:" in text
    assert "cuda.atomic.add(ary, idx, val)" in inspect(kernel, "cuda.atomic.add", 15)[1]
    assert matches(kernel, "cuda.to_device(3, str")["matches"][0] == "stream="
    assert matches(kernel, "cuda.shared.array(sha")["matches"][0] == "shape="


def page(kernel, code):
    payload = kernel.run(code).content["payload"]
    return re.sub("\x1b\\[[0-9;]*m", "", payload[0]["data"]["text/plain"]) if payload else None


def test_pages(kernel):
    kernel.run("def area(width, height=2):\n    'The area.'\n    return width * height\n"
               "class O: pass\na = O(); a.b = [area]")
    assert page(kernel, "area?").startswith("Signature: area(width, height=2)")
    assert page(kernel, "?area") == page(kernel, "area?") == page(kernel, "%pinfo area")
    assert "return width * height" in page(kernel, "area??")
    assert page(kernel, "a.b[0]?").startswith("Signature: a.b[0](width")
    assert page(kernel, "*ytearr*?") == "bytearray"
    assert page(kernel, "area.__nam*?") == "area.__name__"
    assert page(kernel, "%psearch are* function") == "area"
    assert page(kernel, "%psearch -e user are*") == ""
    kernel.run("Capital, capital = 1, 2")
    assert page(kernel, "%psearch cap*") == page(kernel, "cap*?") == page(kernel, "%psearch -c cap*") == "capital"
    assert page(kernel, "%psearch -i cap*") == "Capital\ncapital"
    kernel.run("get_ipython().wildcards_case_sensitive = False")
    assert page(kernel, "cap*?") == "Capital\ncapital"
    kernel.run("get_ipython().wildcards_case_sensitive = True")
    assert kernel.run("%psearch -s nowhere a*").content["ename"] == "ValueError"
    assert re.search("(?s)Docstring.*-n LOOPS", page(kernel, "%timeit?"))
    assert "area(width, height=" in kernel.run("%pdef area").text()
    outcome = kernel.run("nosuch?")
    assert outcome.text() == "Object `nosuch` not found.\n" and outcome.content["payload"] == []


def test_history(kernel):
    kernel.run("first_of_history = 1")
    kernel.run("second_of_history = 2")
    kernel.run("first_of_history = 1")

    def ask(**content):
        return kernel.ask("history_request", {"raw": True, "output": False, **content}).content["history"]

    tail = ask(hist_access_type="tail", n=2)
    assert [row[2] for row in tail] == ["second_of_history = 2", "first_of_history = 1"]
    found = ask(hist_access_type="search", pattern="*_of_history*", unique=True, n=10)
    assert [row[2] for row in found] == ["second_of_history = 2", "first_of_history = 1"]
    session, line, _ = tail[0]
    assert ask(hist_access_type="range", session=0, start=line, stop=line + 1) == [tail[0]]
    assert ask(hist_access_type="range", session=session, start=line, stop=line + 1) == [tail[0]]
    kernel.run("41 + 1")
    assert ask(hist_access_type="tail", n=1, output=True)[0][2] == ["41 + 1", "42"]
