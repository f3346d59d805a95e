"""Magics and shell escapes, with the texts that notebooks rely on."""
import re

import pytest

TIMEIT = (r"[\d.e+]+ (s|ms|\u03bcs|ns) \u00b1 [\d.e+]+ (s|ms|\u03bcs|ns) per loop "
          r"\(mean \u00b1 std\. dev\. of {runs}, {loops} each\)\n")


def test_timeit(cells):
    pattern = TIMEIT.format(runs="3 runs", loops="10 loops")
    assert re.search(pattern, cells.text("%timeit -n10 -r3 sum(range(100))"))
    pattern = TIMEIT.format(runs="1 run", loops="1,000 loops")
    assert re.search(pattern, cells.text("%timeit -n 1000 -r 1 pass"))
    assert re.fullmatch(
        r"1(\.\d+)? s \u00b1 0 ns per loop \(mean \u00b1 std\. dev\. of 1 run, 1 loop each\)\n",
        cells.text("%timeit -n1 -r1 import time; time.sleep(1.0)"))
    pattern = TIMEIT.format(runs="2 runs", loops=r"1?0* ?[\d,]+ loops")
    assert re.search(pattern, cells.text("%timeit -r2 pass"))


def test_timeit_result(cells):
    assert re.fullmatch("<TimeitResult : " + TIMEIT.format(runs="3 runs", loops="10 loops").strip("\\n") + ">",
                        cells.result("r = %timeit -n10 -r3 -o -q pass\nr"))
    assert cells.result("r.loops, r.repeat, len(r.all_runs), r.best <= r.average <= r.worst") == \
        "(10, 3, 3, True)"


def test_timeit_assigns_locally(cells):
    cells.ok("c = 'before'\ndef f(): return 'after'")
    cells.ok("%timeit -n1 -r1 c = f()")
    assert cells.result("c") == "'before'"


def test_timeit_cell(cells):
    text = cells.text("%%timeit -n2 -r1 x = [3]\nx.append(1)\nassert x[0] == 3")
    assert "1 run, 2 loops each" in text
    text = cells.text("%%timeit -n1 -r1\ntext = '''a\nb'''\nassert text == 'a' + chr(10) + 'b'")
    assert "1 loop each" in text


def test_timeit_of_failing_code(cells):
    assert "ZeroDivisionError" in cells.traceback("%timeit 1/0")
    assert "SyntaxError" in cells.traceback("%timeit a b")


SPAN = r"[\d.e+-]+ (s|ms|\u03bcs|ns)"
TIMES = rf"CPU times: user {SPAN}, sys: {SPAN}, total: {SPAN}\nWall time: {SPAN}\n"


def test_time(cells):
    outcome = cells.ok("%time sum(range(1000))")
    assert re.fullmatch(TIMES, outcome.text())
    assert outcome.contents("execute_result")[0]["data"]["text/plain"] == "499500"
    assert not cells.ok("%time x = 5").contents("execute_result")
    assert cells.result("x") == "5"


def test_time_cell(cells):
    outcome = cells.ok("%%time\nx = 1\nx + 1")
    assert re.fullmatch(TIMES, outcome.text())
    assert outcome.contents("execute_result")[0]["data"]["text/plain"] == "2"
    assert cells.usage_error("%%time x\ny") == \
        "UsageError: Can't use statement directly after '%%time'!\n"


def test_system(cells):
    cells.answer(
        ("!echo hi; echo err >&2", "hi\r\nerr\r\n"),
        ("!exit 3\n_exit_code", "3"),
        ("!test -t 1 && echo terminal", "terminal\r\n"),
        ("!cat; echo end", "end\r\n"),
        ("!printf 'é%.0s' $(seq 50000)", "é" * 50000))


def test_lines_of_terminals_end_once(cells):
    assert cells.text("!stty -F /dev/tty opost onlcr; echo a; printf 'b\\n'") == "a\r\nb\r\n"
    assert cells.text("!seq 30000") == "".join(f"{i}\r\n" for i in range(1, 30001))


def test_system_shows_output_while_it_runs(kernel):
    msg_id = kernel.client.execute("!echo first; sleep 1; echo second")
    assert "second" not in kernel.wait_for_text("first")["content"]["text"]
    kernel.receive_reply(msg_id)
    kernel.receive_until_idle(msg_id)


def test_interrupting_a_command(kernel):
    msg_id = kernel.client.execute("!echo go; sleep 60\nprint('on')")
    kernel.wait_for_text("go")
    kernel.manager.interrupt_kernel()
    assert kernel.receive_reply(msg_id, timeout=10)["content"]["status"] == "ok"
    assert any("on" in m["content"].get("text", "") for m in kernel.receive_until_idle(msg_id))


def test_background_commands_are_refused(cells):
    assert "OSError: Background processes not supported." in cells.traceback("!sleep 1 &")


def test_command_output(cells):
    assert cells.text("x = !echo one; echo two\nprint(type(x), x)") == \
        "<class 'IPython.utils.text.SList'> ['one', 'two']\n"
    assert cells.result("x.n, x.s, x.grep('w'), x.fields(0)") == \
        "('one\\ntwo', 'one two', ['two'], ['one', 'two'])"
    assert cells.result("!!echo a") == "['a']"


def test_expansion(cells):
    assert cells.text("n = 3\ns = 'a b'\n!echo {n + 1} $n '$n' {n:03d} $HOME_NOT_SET. ${n} {s.upper()}") == \
        "4 3 $n 003 . 3 A B\r\n"
    assert cells.text("!echo x | awk '{print $1}'") == "x\r\n"
    assert cells.result("y = !echo $n {n}\ny") == "['3 3']"


def test_bash(cells):
    outcome = cells.run("%%bash\necho out\necho err >&2\nexit 3")
    assert outcome.text() == "out\n" and outcome.text("stderr") == "err\n"
    assert outcome.content["ename"] == "CalledProcessError"
    assert cells.text("%%sh\necho $0") == "sh\n"
    assert cells.result("%%bash --out o --err e\necho a; echo b >&2") is None
    cells.answer(
        ("o, e", "('a\\n', 'b\\n')"),
        ("%%script --no-raise-error bash -e\nfalse\necho no", ""),
        ("%%script no-such-program\nx", "Couldn't find program: 'no-such-program'\n"),
        ("%%python\nprint(6 * 7)", "42\n"))


def test_writefile(cells, tmp_path):
    path = tmp_path / "a b.txt"
    cells.answer(
        (f"%%writefile '{path}'\nhello\n%x", f"Writing {path}\n"),
        (f"%%writefile '{path}'\nhello", f"Overwriting {path}\n"),
        (f"%%writefile -a '{path}'\né", f"Appending to {path}\n"))
    assert path.read_text() == "hello\né\n"
    assert "FileNotFoundError" in cells.traceback("%%writefile /no/such/folder/x\n1")


def test_capture(cells):
    outcome = cells.ok("%%capture c\nimport sys\nprint(1)\nprint(2, file=sys.stderr)\ndisplay('d')\n3")
    assert outcome.types == ["status", "execute_input", "status"]
    assert cells.result("c.stdout, c.stderr, len(c.outputs)") == "('1\\n', '2\\n', 2)"
    shown = cells.ok("c.show()")
    assert shown.text() == "1\n" and len(shown.contents("display_data")) == 2
    cells.run("%%capture\n1/0")
    assert cells.text("print('seen')") == "seen\n"


def test_markup(cells):
    assert cells.data("%%html\n<i>x</i>") == {"text/plain": "<IPython.core.display.HTML object>",
                                             "text/html": "<i>x</i>\n"}
    outcome = cells.ok("%%html --isolated\n<i>x</i>").contents("display_data")[0]
    assert outcome["metadata"] == {"text/html": {"isolated": True}}
    assert cells.data("%%latex\n$x$")["text/latex"] == "$x$\n"
    assert cells.data("%%markdown\n*x*")["text/markdown"] == "*x*\n"
    assert cells.data("%%javascript\n1")["application/javascript"] == "1\n"


def test_env(cells):
    cells.answer(
        ("%env GRIDCELL_TEST=a b", "env: GRIDCELL_TEST=a b\n"),
        ("%env GRIDCELL_TEST", "'a b'"),
        ("!echo $GRIDCELL_TEST", "a b\r\n"))
    assert cells.usage_error("%env NOPE_NOPE") == "UsageError: Environment does not have key: NOPE_NOPE\n"
    cells.ok("%env GRIDCELL_SECRET=x")
    assert cells.result("e = %env\ne['GRIDCELL_SECRET']") == "'<hidden>'"


def test_folders(cells, tmp_path):
    here = cells.result("%pwd")
    assert cells.text(f"%cd {tmp_path}") == f"{tmp_path}\n"
    assert cells.result("%pwd") == repr(str(tmp_path))
    assert cells.text("%cd -") == here.strip("'") + "\n"
    assert "No such file or directory" in cells.text("%cd /no/such/folder")
    assert cells.text("cd -q /\n") == ""
    cells.ok(f"%cd {here}")


def test_automagic(cells, tmp_path):
    (tmp_path / "file.txt").touch()
    assert "file.txt" in cells.text(f"ls {tmp_path}")
    assert cells.result("ls = 5\nls") == "5"
    assert cells.result("ls") == "5"
    cells.ok("del ls")


def test_who(cells):
    cells.ok("%reset -f")
    assert cells.text("%who") == "Interactive namespace is empty.\n"
    cells.ok("a = 1; b = 's'; _hidden = 2")
    assert cells.text("%who") == "a\t b\t \n"
    assert cells.text("%who int") == "a\t \n"
    assert cells.text("%whos").splitlines()[0] == "Variable   Type    Data/Info"
    assert "b          str     s" in cells.text("%whos")
    cells.ok("import numpy as np; z = np.zeros((300, 300))")
    assert "300x300: 90000 elems, type `float64`, 720000 bytes (703.125 kb)" in cells.text("%whos")
    cells.ok("%reset -f")
    assert "NameError" in cells.traceback("a")


def test_unknown_magics(cells):
    assert cells.usage_error("%foobar 1") == "UsageError: Line magic function `%foobar` not found.\n"
    assert cells.usage_error("%%foobar\nx") == "UsageError: Cell magic `%%foobar` not found.\n"
    assert "But cell magic `%%bash` exists" in cells.usage_error("%bash x")
    assert cells.usage_error("%%timeit") == (
        "UsageError: %%timeit is a cell magic, but the cell body is empty. "
        "Did you mean the line magic %timeit (single %)?\n")
    assert "option -z not recognized" in cells.usage_error("%timeit -z pass")


def test_users_magics(cells):
    cells.ok("from IPython.core.magic import (Magics, magics_class, line_magic, cell_magic,\n"
             "    register_line_magic, register_cell_magic)\n"
             "@register_line_magic\ndef shout(line): return line.upper()\n"
             "@register_cell_magic\ndef both(line, cell): return line, cell\n"
             "@magics_class\nclass Mine(Magics):\n"
             "    @line_magic\n    def hello(self, line): print('hello', line, self.shell is get_ipython())\n"
             "get_ipython().register_magics(Mine)\n"
             "get_ipython().register_magic_function(lambda line: line * 2, 'line', 'twice')")
    cells.answer(
        ("%shout a $name", "'A $NAME'"),
        ("%%both x\ny", "('x', 'y\\n')"),
        ("%hello you", "hello you True\n"),
        ("%twice ab", "'abab'"),
        ("get_ipython().run_line_magic('shout', 'b')", "'B'"))


def test_extensions(cells, tmp_path):
    (tmp_path / "ext_of_test.py").write_text(
        "def load_ipython_extension(ip):\n    ip.register_magic_function(lambda line: 'from ext', 'line', 'extra')\n")
    cells.ok(f"import sys; sys.path.insert(1, {str(tmp_path)!r})")
    assert cells.text("%load_ext ext_of_test") == ""
    assert cells.result("%extra") == "'from ext'"
    assert cells.text("%load_ext ext_of_test") == (
        "The ext_of_test extension is already loaded. To reload it, use:\n  %reload_ext ext_of_test\n")
    assert cells.text("%load_ext json") == "The json module is not an IPython extension.\n"
    assert "No module named 'nosuch_ext'" in cells.traceback("%load_ext nosuch_ext")


def test_autoreload(cells, tmp_path):
    module = tmp_path / "changing_of_test.py"
    module.write_text("def value(): return 1\n")
    cells.ok(f"import sys; sys.path.insert(1, {str(tmp_path)!r})\n%load_ext autoreload\n%autoreload 2")
    cells.ok("import changing_of_test\nfrom changing_of_test import value\nvalue()")
    cells.ok("1")
    module.write_text("def value(): return 22222\n")
    import os
    os.utime(module, (2e9, 2e9))
    assert cells.result("value()") == "22222"
    cells.ok("%autoreload off")


def test_settings(cells):
    assert cells.result("%precision 3") == "'%.3f'"
    assert cells.result("3.14159265") == "3.142"
    cells.ok("%precision")
    assert cells.usage_error("%config InlineBackend") == (
        "UsageError: Invalid config statement: 'InlineBackend', should be `Class.trait = value`.\n")
    cells.ok("%config Completer.use_jedi = False")
    assert cells.result("%lsmagic").startswith("Available line magics:\n%!  ")


def test_run(cells, tmp_path):
    script = tmp_path / "script_of_test.py"
    script.write_text("import sys\nprint(sys.argv[1:], __name__)\nmade = 5\n")
    assert cells.text(f"%run {script} a b") == "['a', 'b'] __main__\n"
    assert cells.result("made") == "5"
    script.write_text("print(made + 1)\n")
    assert cells.text(f"%run -i {script}") == "6\n"
    assert "not found" in cells.traceback("%run nosuchfile")


def test_help(cells):
    payload = cells.ok("len?").content["payload"]
    assert payload[0]["source"] == "page"
    text = re.sub("\x1b\\[[0-9;]*m", "", payload[0]["data"]["text/plain"])
    assert text == ("Signature: len(obj, /)\nDocstring: Return the number of items in a container.\n"
                    "Type:      builtin_function_or_method")
    cells.ok("def g(a):\n    'Doc.'\n    return a")
    assert "def\x1b[39;00m g(a):" in cells.ok("g??").content["payload"][0]["data"]["text/plain"]
    assert cells.text("nosuch?") == "Object `nosuch` not found.\n"
    assert "Time a statement" in cells.ok("%timeit?").content["payload"][0]["data"]["text/plain"]


def test_history(cells):
    cells.ok("a = 'in history'")
    assert "a = 'in history'\n" in cells.text("%history -l 3")


@pytest.mark.parametrize("code, text", [
    (">>> 1 + 1", "2"),
    ("In [3]: 1 + 2", "3"),
    ("    4", "4"),
    ("for i in range(2):\n    %time i\n5", "5"),
])
def test_transformed_cells(cells, code, text):
    assert cells.result(code) == text


def page(outcome):
    return outcome.content["payload"][0]["data"]["text/plain"]


def test_prun(cells):
    text = page(cells.ok("def profiled(): return sum(range(10))\n%prun -s cumulative profiled()"))
    assert "function calls" in text and "Ordered by: cumulative time" in text and "(profiled)" in text
    assert cells.result("s = %prun -q -r profiled()\ntype(s).__name__") == "'Stats'"
    assert "(profiled)" in cells.ok("s.print_stats('profiled');").text()
    assert "(profiled)" in page(cells.ok("%%prun\nprofiled()\nprofiled()"))


def test_parts_of_help(cells):
    cells.ok("def g(a):\n    'Doc.'\n    return a")
    assert cells.text("%pdef g") == " g(a)\n "
    assert page(cells.ok("%pdoc g")) == "\x1b[31mClass docstring:\x1b[39m\n    Doc."
    assert re.sub("\x1b\\[[0-9;]*m", "", page(cells.ok("%psource g"))) == "def g(a):\n    'Doc.'\n    return a"


def test_debug(kernel):
    kernel.run("def f(x):\n    local = x + 1\n    1 / 0\nf(5)")
    msg_id = kernel.client.execute("%debug")
    for command in ("p local", "q"):
        assert kernel.client.get_stdin_msg(timeout=10)["content"]["prompt"] == "ipdb> "
        kernel.client.input(command)
    assert kernel.receive_reply(msg_id)["content"]["status"] == "ok"
    text = "".join(m["content"].get("text", "") for m in kernel.receive_until_idle(msg_id))
    assert "\n6\n" in text or text.endswith("6\n")
