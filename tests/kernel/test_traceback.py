"""Tracebacks: what people see when a cell fails."""
import sys

from conftest import without_colours

PACKAGE = "/python/gridcell/"  # where our own frames lie


def test_frames_with_context_arrows_and_carets(cells):
    number = cells.ok("0").content["execution_count"] + 1
    text = cells.traceback("def f(x):\n    return 1/x\n\nf(0)")
    assert text.splitlines() == [
        "-" * 75,
        "ZeroDivisionError                         Traceback (most recent call last)",
        f"Cell In[{number}], line 4",
        "      2     return 1/x",
        "      3 ",
        "----> 4 f(0)",
        "",
        f"Cell In[{number}], line 2, in f(x)",
        "      1 def f(x):",
        "----> 2     return 1/x",
        "                   ^^^",
        "",
        "ZeroDivisionError: division by zero"]


def test_reply_and_message_agree(cells):
    outcome = cells.run("1/0")
    error = outcome.contents("error")[0]
    assert outcome.content["traceback"] == error["traceback"]
    assert error["ename"] == outcome.content["ename"] == "ZeroDivisionError"
    assert error["evalue"] == "division by zero"
    assert "\x1b[31m" in error["traceback"][0]


def test_code_of_files(cells, tmp_path):
    (tmp_path / "helper_of_test.py").write_text("def g(a, *b, **c):\n    raise KeyError(a)\n")
    text = cells.traceback(f"import sys; sys.path.insert(1, {str(tmp_path)!r})\n"
                           "import helper_of_test\nhelper_of_test.g(5)")
    assert f"File {tmp_path}/helper_of_test.py:2, in g(a, *b, **c)" in text
    assert "----> 2     raise KeyError(a)" in text
    assert text.endswith("KeyError: 5")


def test_syntax_error(cells):
    outcome = cells.run("a = = 3")
    error = outcome.contents("error")[0]
    assert len(error["traceback"]) == 1
    assert error["evalue"] == "invalid syntax (1247515196.py, line 1)"
    assert "    a = = 3\n        ^\nSyntaxError: invalid syntax" in cells.traceback("a = = 3")


def test_indentation_error(cells):
    assert "IndentationError: expected an indented block" in cells.traceback("if 1:\nx")


def test_chained_exceptions(cells):
    text = cells.traceback("try:\n    1/0\nexcept Exception as e:\n    raise ValueError('x') from e")
    assert "----> 2     1/0" in text
    assert "\n\nThe above exception was the direct cause of the following exception:\n\n" in text
    assert text.index("ZeroDivisionError: division") < text.index("ValueError: x")
    text = cells.traceback("try:\n    1/0\nexcept Exception as e:\n    raise ValueError('x')")
    assert "During handling of the above exception, another exception occurred:" in text
    assert "ZeroDivisionError" not in cells.traceback(
        "try:\n    1/0\nexcept Exception:\n    raise ValueError('x') from None")


def test_source_of_errors_found_after_parsing(cells):
    for code, line, message in [
            ("return 5", "    return 5\n    ^^^^^^^^", "'return' outside function"),
            ("x = 1\nbreak", "    break\n    ^^^^^", "'break' outside loop"),
            ("def f(x, x): pass", "    def f(x, x): pass\n             ^",
             "duplicate parameter 'x' in" if sys.version_info >= (3, 15) else "duplicate argument 'x'")]:
        text = cells.traceback(code)
        assert line in text and f"SyntaxError: {message}" in text, text


def test_notes_and_groups(cells):
    assert cells.traceback("e = ValueError('x'); e.add_note('a note'); raise e").endswith("a note")
    number = cells.ok("0").content["execution_count"] + 1
    text = cells.traceback("def a():\n    raise KeyError('k')\ntry:\n    a()\nexcept Exception as e:\n"
                           "    inner = ExceptionGroup('in', [OSError(3)])\n    one = e\n"
                           "raise ExceptionGroup('g', [one, inner])")
    text = text[text.index("ExceptionGroup: g"):]
    assert text.splitlines() == [
        "ExceptionGroup: g (2 sub-exceptions)",
        "  +---------------- 1 ----------------",
        f"  | Cell In[{number}], line 4", "  |       2     raise KeyError('k')", "  |       3 try:",
        "  | ----> 4     a()", "  |       5 except Exception as e:",
        "  |       6     inner = ExceptionGroup('in', [OSError(3)])",
        f"  | Cell In[{number}], line 2, in a()", "  |       1 def a():",
        "  | ----> 2     raise KeyError('k')", "  | KeyError: 'k'",
        "  +---------------- 2 ----------------", "  | ExceptionGroup: in (1 sub-exception)",
        "    +---------------- 1 ----------------", "    | OSError: 3"]


def test_deep_recursion_is_folded(cells):
    text = cells.traceback("def r(n): return r(n+1)\nr(0)")
    assert "[... skipping similar frames: r at line 1 (" in text
    assert text.count("in r(n)") < 8
    assert "RecursionError: maximum recursion depth exceeded" in text
    assert cells.result("1") == "1"


def test_frames_of_the_kernel_are_hidden(cells):
    text = cells.traceback("%time 1/0")
    assert PACKAGE not in text and "ZeroDivisionError" in text
    text = cells.traceback("class H:\n    @property\n    def __html__(self): 1/0\n"
                           "def hidden():\n    __tracebackhide__ = True\n    1/0\nhidden()")
    assert "in hidden" not in text and "[... skipping hidden 1 frame]" in text
    text = cells.traceback("def outer():\n    __tracebackhide__ = True\n    inner()\n"
                           "def inner(): 1/0\nouter()")
    assert "in outer" not in text and "in inner()" in text and "skipping hidden 1 frame" in text


def test_frames_of_compiled_functions(cells):
    cells.ok("from numba import njit, vectorize, cuda\nimport numpy as np")
    text = cells.traceback("@njit\ndef inner(a, i):\n    if i > 2:\n        raise ValueError('bad', i)\n"
                           "    return a[i]\n@njit\ndef outer(a, i):\n    return inner(a, i + 1)\n"
                           "outer(np.zeros(5), 4)")
    assert PACKAGE not in text
    assert text.index("----> 9 outer(") < text.index("----> 8     return inner(a, i + 1)") < \
        text.index("----> 4         raise ValueError('bad', i)") < text.index("ValueError: ('bad', 5)")
    text = cells.traceback("@vectorize(['float64(float64)'])\ndef v(x):\n    return x.bad")
    assert PACKAGE not in text and "----> 3     return x.bad" in text
    assert "    return x.bad\n           ^~~~~" in text and len(text.splitlines()) < 30
    text = cells.traceback("@cuda.jit\ndef k(a):\n    i = cuda.grid(1)\n    a[i + 100000] = 1\n"
                           "k[1, 2](np.zeros(3))")
    assert "----> 4     a[i + 100000] = 1" in text and "IndexError" in text
    assert PACKAGE not in cells.traceback("njit(3)")


def test_exceptions_that_are_hard_to_print(cells):
    assert "<exception str() failed>" in cells.traceback(
        "class Bad(Exception):\n    def __str__(self): raise KeyError\nraise Bad")
    assert "\\ud800" in cells.traceback("raise ValueError('\\ud800')")


def test_system_exit(cells):
    outcome = cells.run("raise SystemExit(3)")
    assert (outcome.content["ename"], outcome.content["evalue"]) == ("SystemExit", "3")
    assert "SystemExit: 3" in cells.traceback("raise SystemExit(3)")
    assert cells.run("import sys; sys.exit()").content["evalue"] == ""
    assert cells.result("'alive'") == "'alive'"


def test_keyboard_interrupt(cells):
    outcome = cells.run("raise KeyboardInterrupt")
    assert (outcome.content["ename"], outcome.content["evalue"]) == ("KeyboardInterrupt", "")


def test_own_rendering(cells):
    assert cells.traceback("class E(Exception):\n"
                           "    def _render_traceback_(self): return ['line one', 'line two']\n"
                           "raise E()") == "line one\nline two"


def test_modes(cells):
    assert cells.text("%xmode Minimal") == "Exception reporting mode: Minimal\n"
    assert cells.traceback("1/0") == "ZeroDivisionError: division by zero\n"
    cells.ok("%xmode Plain")
    assert cells.traceback("1/0").startswith("Traceback (most recent call last):\n\n  Cell In[")
    cells.ok("%xmode Verbose")
    text = cells.traceback("scale = 7\ndef g(x, *args, k=3, **kw):\n    y = [1, 2]\n    return scale / x + y[0]\n"
                           "g(0, 1, z=2)")
    assert "in g(x=0, k=3, *args=(1,), **kw={'z': 2})" in text
    assert "        scale = 7\n        x = 0\n        y = [1, 2]\n" in text
    cells.ok("%xmode Context")


def test_last_exception(cells):
    cells.run("{}['gone']")
    assert cells.result("import sys; sys.last_type, sys.last_value") == "(KeyError, KeyError('gone'))"
    assert "KeyError" in cells.ok("%tb").contents("error")[0]["ename"]


def test_user_expressions(cells):
    reply = cells.ok("y = 3", user_expressions={"a": "y + 1", "b": "nosuch"}).content
    assert reply["user_expressions"]["a"] == {"status": "ok", "data": {"text/plain": "4"}, "metadata": {}}
    assert reply["user_expressions"]["b"]["ename"] == "NameError"


def test_warnings_name_the_cell(cells):
    text = cells.ok("import warnings; warnings.warn('hey')").text("stderr")
    assert text.endswith("/635856777.py:1: UserWarning: hey\n  import warnings; warnings.warn('hey')\n")


def test_await_without_frames_of_the_event_loop(cells):
    text = cells.traceback("async def f():\n    1/0\nawait f()")
    assert "asyncio" not in text and "in f()" in text


def test_tracebacks_for_doctests_and_files_of_other_codings(cells, tmp_path):
    cells.ok("%xmode Doctest")
    chained = "\n".join(cells.run("try: 1 / 0\nexcept Exception: raise ValueError('bad')").contents("error")[0]["traceback"])
    cells.ok("%xmode Context")
    assert without_colours(chained).split("\n")[:3] == [
        "Traceback (most recent call last):", "    ...", "ZeroDivisionError: division by zero"]
    assert without_colours(chained).endswith("ValueError: bad") and "__main__" not in chained
    (tmp_path / "cyrillic.py").write_bytes("# coding: iso-8859-5\ndef fail():\n    1 / 0  # дбИЖ\n".encode("iso-8859-5"))
    shown = "\n".join(cells.run(f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nimport cyrillic; cyrillic.fail()")
                      .contents("error")[0]["traceback"])
    assert "дбИЖ" in without_colours(shown)


def test_tracebacks_without_colours(cells):
    assert "\x1b" in "".join(cells.run("1 / 0").contents("error")[0]["traceback"])
    cells.ok("%colors nocolor")
    plain = "\n".join(cells.run("1 / 0").contents("error")[0]["traceback"])
    cells.ok("%colors neutral")
    assert "\x1b" not in plain and "ZeroDivisionError: division by zero" in plain
    assert "\x1b" in "".join(cells.run("1 / 0").contents("error")[0]["traceback"])
