"""Tracebacks: what people see when a cell fails."""


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


def test_notes_and_groups(cells):
    assert cells.traceback("e = ValueError('x'); e.add_note('a note'); raise e").endswith("a note")
    assert "+ KeyError: 'k'" in cells.traceback("raise ExceptionGroup('g', [KeyError('k')])")


def test_deep_recursion_is_folded(cells):
    text = cells.traceback("def r(n): return r(n+1)\nr(0)")
    assert "[... skipping similar frames: r at line 1 (" in text
    assert text.count("in r(n)") < 8
    assert "RecursionError: maximum recursion depth exceeded" in text
    assert cells.result("1") == "1"


def test_frames_of_the_kernel_are_hidden(cells):
    text = cells.traceback("%time 1/0")
    assert "gridcell" not in text and "ZeroDivisionError" in text
    text = cells.traceback("class H:\n    @property\n    def __html__(self): 1/0\n"
                           "def hidden():\n    __tracebackhide__ = True\n    1/0\nhidden()")
    assert "in hidden" not in text


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
