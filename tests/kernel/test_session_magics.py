"""Magics about the session: its history, names, folders, aliases, settings, and what outlives it.
Their texts are those of IPython."""
import json
import sys

import pytest

from conftest import Cells, without_colours


def page(outcome):
    payload, = outcome.content["payload"]
    assert payload["source"] == "page"
    return without_colours(payload["data"]["text/plain"])


def next_input(outcome):
    payload, = outcome.content["payload"]
    assert payload["source"] == "set_next_input"
    return payload["text"]


def answered(kernel, code, *answers):
    """Runs a cell that asks; the prompts, and what the cell printed."""
    msg_id = kernel.client.execute(code, allow_stdin=True)
    prompts = []
    for answer in answers:
        prompts.append(kernel.client.get_stdin_msg(timeout=10)["content"]["prompt"])
        kernel.client.input(answer)
    reply = kernel.receive_reply(msg_id)
    messages = kernel.receive_until_idle(msg_id)
    text = "".join(m["content"].get("text", "") for m in messages)
    return prompts, text, reply["content"]


@pytest.fixture
def session(start_kernel, tmp_path):
    """A kernel in an empty folder, with an empty profile."""
    def start():
        cells = Cells(start_kernel(env={"IPYTHONDIR": str(tmp_path / "ipython"),
                                        "GRIDCELL_HISTORY": str(tmp_path / "history.sqlite")}))
        folder = tmp_path / "work"
        folder.mkdir(exist_ok=True)
        cells.ok(f"%cd -q {folder}")
        return cells
    return start


def test_history_ranges(session, tmp_path):
    cells = session()  # its first cell is line 1
    cells.ok("print('first')")
    cells.ok("2+2")
    cells.ok("def f():\n\treturn 3\nf()")
    cells.ok("!echo sys")
    cells.answer(
        ("%history 2-3", "print('first')\n2+2\n"),
        ("%history -n 2:3 4", "   2: print('first')\n   4:\ndef f():\n    return 3\nf()\n"),
        ("%history -op 3-4", ">>> 2+2\n4\n>>> def f():\n...     return 3\n... f()\n...\n3\n"),
        ("%hist -t 5", "get_ipython().system('echo sys')\n"),
        ("%history -l 2", "%history -op 3-4\n%hist -t 5\n"))
    assert len(cells.text("%history -l").splitlines()) == 12  # ten cells, one of three lines
    assert cells.text("%history -g first") == "   2: print('first')\n  12: %history -g first\n"
    assert cells.text("%history ~5/1 nonsense") == ""
    assert cells.text("%history").endswith("%history ~5/1 nonsense\n%history\n")
    target = tmp_path / "lines.txt"
    cells.ok(f"%history -f {target} 2-3")
    assert target.read_text() == "print('first')\n2+2\n"
    prompts, text, _ = answered(cells.kernel, f"%history -f {target} 2", "n")
    assert prompts == [f"File '{target}' exists. Overwrite? "] and "Aborting." in text
    cells.ok(f"%history -y -f {target} 2")
    assert target.read_text() == "print('first')\n"
    cells.kernel.client.shutdown()
    cells.kernel.process.wait(10)
    later = session()
    assert later.text("%history ~1/2-3") == "print('first')\n2+2\n"
    assert later.text("%history -n ~1/3") == " 1/3: 2+2\n"
    assert "print('first')" in later.text("%history -g -u first")


def test_code_of_earlier_cells(session, tmp_path):
    cells = session()
    cells.ok("print('one')")  # line 2
    cells.ok("a = 10")
    assert cells.text("%macro mm 2-3") == (
        "Macro `mm` created. To execute, type its name (without quotes).\n"
        "=== Macro contents: ===\nprint('one')\na = 10\n ")
    cells.answer(
        ("mm", "one\n"),
        ("print(mm)", "print('one')\na = 10\n\n"),
        ("%macro", "['mm']"),
        ("%macro -q m2 a", "a is neither a string nor a macro.\n"))
    assert next_input(cells.ok("%recall 2")) == "print('one')"
    assert next_input(cells.ok("%recall a")) == "10"
    assert cells.text("%rerun 2") == "=== Executing: ===\nprint('one')\n=== Output: ===\none\n"
    assert cells.text("%rerun -g one") == "=== Executing: ===\nprint('one')\n=== Output: ===\none\n"
    written = "The following commands were written to file `foo.py`:\n"
    assert cells.text("%save foo 2-3") == written + "print('one')\na = 10\n"
    path = tmp_path / "work/foo.py"
    assert path.read_text() == "# coding: utf-8\nprint('one')\na = 10\n"
    prompts, text, _ = answered(cells.kernel, "%save foo 2", "n")
    assert prompts == ["File `foo.py` exists. Overwrite (y/[N])? "] and text == "Operation cancelled.\n"
    cells.ok("%save -a foo 3")
    assert path.read_text().endswith("a = 10\na = 10\n")
    assert cells.text("%save -r raw 2").splitlines()[0].endswith("`raw.ipy`:")
    assert next_input(cells.ok("%load foo.py")) == "# %load foo.py\nprint('one')\na = 10\na = 10\n"
    assert next_input(cells.ok("%load 2-3")) == "# %load 2-3\nprint('one')\na = 10"
    path.write_text("import os\n@dec\ndef f():\n    return 1\n\nclass C:\n    pass\n")
    assert next_input(cells.ok("%load -s C,f foo.py")) == \
        "# %load -s C,f foo.py\nclass C:\n    pass\n\n@dec\ndef f():\n    return 1\n"
    assert next_input(cells.ok("%load -r 1,3-4 foo")) == \
        "# %load -r 1,3-4 foo\nimport os\ndef f():\n    return 1"
    assert "was not found in history" in cells.traceback("%load nope.py")
    cells.ok("def g():\n    return 5")
    assert next_input(cells.ok("%load -n g")) == "# %load -n g\ndef g():\n    return 5"
    assert page(cells.ok("%pycat foo.py")).startswith("import os")
    assert page(cells.ok("%page a")) == "10"
    assert cells.text("%page nope") == "Object `nope` not found\n"
    cells.ok("2 + 5")
    cells.ok("%notebook out.ipynb")
    notebook = json.loads((tmp_path / "work/out.ipynb").read_text())
    assert notebook["nbformat"] == 4
    assert notebook["cells"][-1]["outputs"][0]["data"]["text/plain"] == ["7"]
    payload, = cells.ok("%edit foo.py").content["payload"]
    assert payload["source"] == "edit_magic" and payload["filename"].endswith("work/foo.py")


def test_store(session, tmp_path):
    cells = session()
    assert cells.text("%store") == "Stored variables and their in-db values:\n"
    assert cells.text("x = [1, 2]; s = 'abc'\n%store x s") == "Stored 'x' (list)\nStored 's' (str)\n"
    assert cells.text("%store") == ("Stored variables and their in-db values:\n"
                                    "s             -> 'abc'\nx             -> [1, 2]\n")
    assert cells.text("%store x > value.txt") == "Writing 'x' (list) to file 'value.txt'.\n"
    assert (tmp_path / "work/value.txt").read_text() == "[1, 2]\n"
    assert cells.usage_error("%store nope") == "UsageError: Unknown variable 'nope'\n"
    cells.ok("%alias hi echo hello %s")
    assert cells.text("%store hi") == "Alias stored: hi (echo hello %s)\n"
    assert "Proper storage" in cells.text("class K: pass\nk = K()\n%store k")
    later = session()
    assert later.traceback("x").endswith("name 'x' is not defined")
    later.answer(
        ("%store -r x\nx", "[1, 2]"),
        ("%store -r nope", "no stored variable or alias nope\n"),
        ("%store -r\ns", "'abc'"),
        ("%hi you", "hello you\r\n"))
    later.ok("%store -d s")
    assert later.text("%store -z\n%store") == "Stored variables and their in-db values:\n"


def test_aliases(session):
    cells = session()
    cells.ok("%alias hi echo hello %s and %s\n%alias lss echo \"[%l]\"")
    assert cells.text("%hi a b") == "hello a and b\r\n"
    assert cells.text("lss x y") == "[x y]\r\n"
    assert cells.usage_error("%hi a") == "UsageError: Alias <hi> requires 2 arguments, 1 given.\n"
    assert "('ls', 'ls -F --color')" in cells.result("%alias")
    cells.ok("%unalias hi\n%unalias ls")
    assert "not found" in cells.usage_error("%hi a b")
    assert "not found" in cells.usage_error("%ls")
    assert cells.text("%unalias nope") == "nope is not an alias\n"
    assert cells.text("%alias_magic t timeit") == ("Created `%t` as an alias for `%timeit`.\n"
                                                   "Created `%%t` as an alias for `%%timeit`.\n")
    assert "1 loop each" in cells.text("%t -n1 -r1 pass")
    assert cells.usage_error("%alias_magic a nopenope") == \
        "UsageError: No line or cell magic with name `nopenope` found.\n"
    cells.ok("%rehashx")
    assert cells.text("%echo found") == "found\r\n"


def test_folders(session, tmp_path):
    cells, work = session(), tmp_path / "work"
    (work / "d").mkdir()
    assert cells.result("%dirs") == "[]"
    outcome = cells.ok("%pushd d")
    assert outcome.text() == f"{work}/d\n"
    assert cells.text("%popd") == f"{work}\npopd -> {work}\n"
    assert cells.usage_error("%popd") == "UsageError: %popd on empty stack\n"
    cells.ok("%bookmark here\n%bookmark tmp /tmp")
    cells.answer(
        ("%bookmark -l", f"Current bookmarks:\nhere -> {work}\ntmp  -> /tmp\n"),
        ("%cd -b tmp", "(bookmark:tmp) -> /tmp\n/tmp\n"),
        ("%cd here", f"(bookmark:here) -> {work}\n{work}\n"))
    assert cells.usage_error("%bookmark -d nope") == \
        "UsageError: %bookmark -d: Can't delete bookmark 'nope'\n"
    assert "Bookmark 'nope' not found" in cells.usage_error("%cd -b nope")
    cells.answer(
        ("%cd --^/tmp$", "/tmp\n"),
        ("%cd -", f"{work}\n"),
        ("%cd nope", f"[Errno 2] No such file or directory: 'nope'\n{work}\n"))
    assert cells.text("%dhist").splitlines()[-2:] == ["6: /tmp", f"7: {work}"]
    assert cells.text("%dhist 6 7").splitlines()[1:] == ["6: /tmp", f"7: {work}"]
    assert session().text("%bookmark -l").splitlines()[1] == f"here -> {work}"


def test_reset(session):
    cells = session()
    cells.ok("a1 = a2 = 1; b1 = [2]\nb2 = b1")
    cells.answer(
        ("b1", "[2]"),
        ("%reset_selective -f ^a", ""),
        ("%who", "b1\t b2\t \n"),
        ("%xdel b1", ""),
        ("%who", "Interactive namespace is empty.\n"),
        ("%xdel b1", "NameError: name 'b1' is not defined\n"),
        ("c = [3]; d = c\n%xdel -n c", ""),
        ("d", "[3]"))
    assert cells.text("%reset -f out").startswith("Flushing output cache (")
    cells.answer(
        ("Out", "{}"),
        ("%reset -f in", "Flushing input history\n"),
        ("In[1]", "''"),
        ("%reset -f dhist", "Flushing directory history\n"))
    cells.ok("import numpy as np; z = np.ones(3); n = 1\n%reset -f array")
    assert cells.text("%who int ndarray") == "n\t \n"
    question = "Once deleted, variables cannot be recovered. Proceed (y/[n])? "
    prompts, text, _ = answered(cells.kernel, "%reset", "n")
    assert prompts == [question] and text == "Nothing done.\n"
    answered(cells.kernel, "%reset", "y")
    assert cells.text("%who") == "Interactive namespace is empty.\n"


def test_switches(session):
    cells = session()
    assert cells.text("%automagic") == "\nAutomagic is OFF, % prefix IS needed for line magics.\n"
    assert cells.run("pwd").content["ename"] == "NameError"
    assert cells.text("%automagic on") == "\nAutomagic is ON, % prefix IS NOT needed for line magics.\n"
    assert cells.text("%autoawait") == "IPython autoawait is `on`, and set to use `asyncio`\n"
    cells.ok("%autoawait off\nasync def f(): return 1")
    assert cells.run("await f()").content["ename"] == "SyntaxError"
    cells.ok("%autoawait on")
    cells.answer(
        ("await f()", "1"),
        ("%autocall 1", "Automatic calling is: Smart\n"),
        ("max 3, 5", "5"),
        ("%autocall 0", "Automatic calling is: Off\n"),
        ("/print 1 2\n,print a b\n;print a b", "1 2\na b\na b\n"))
    long_list = "list(range(40))"
    assert "\n" in cells.result(long_list)
    assert cells.text("%pprint") == "Pretty printing has been turned OFF\n"
    assert "\n" not in cells.result(long_list)
    cells.answer(
        ("%pprint", "Pretty printing has been turned ON\n"),
        ("%doctest_mode", "Exception reporting mode: Plain\nDoctest mode is: ON\n"),
        ("%doctest_mode", "Exception reporting mode: Context\nDoctest mode is: OFF\n"))
    assert [cells.text("%xmode") for _ in range(6)] == [
        f"Exception reporting mode: {mode}\n" for mode in ("Verbose", "Minimal", "Docs", "Doctest", "Plain", "Context")]
    cells.run("1/0")
    assert "ZeroDivisionError" in cells.run("%tb Minimal").contents("error")[0]["traceback"][0]


def test_config(session):
    cells = session()
    assert cells.text("%config").startswith("Available objects for config:\n    ")
    assert cells.result("%config IPCompleter.use_jedi") == "True"
    cells.ok("%config Completer.use_jedi = False")
    assert cells.result("%config IPCompleter.use_jedi") == "False"
    assert "IPCompleter.greedy=<bool>" in cells.text("%config IPCompleter")
    assert "Did you mean `figure_format`?" in cells.ok("%config InlineBackend.figure_fromat = 'svg'").text("stderr")
    for name in cells.text("%config").split()[4:]:
        if name != "InlineBackend":  # which is listed once Matplotlib is there
            assert cells.text(f"%config {name}").startswith(f"{name} options\n---")
    assert cells.result("%config MagicsManager.auto_magic") == "True"
    cells.ok("%config ZMQInteractiveShell.ast_node_interactivity = 'all'")
    assert len(cells.ok("1\n2").contents("execute_result")) == 2
    cells.ok("%config InteractiveShell.ast_node_interactivity = 'last_expr'")
    cells.ok("%config InteractiveShell.automagic = False")
    assert cells.run("pwd").content["ename"] == "NameError"
    assert "no attribute 'nope'" in cells.traceback("%config IPCompleter.nope")


def test_log(session, tmp_path):
    cells = session()
    cells.ok("a = 1")
    assert cells.text("%logstate") == "Logging has not been activated.\n"
    assert "Logging hasn't been started yet" in cells.text("%logoff")
    assert "Mode           : backup\n" in cells.text("%logstart -o my.log")
    cells.ok("a + 1")
    assert cells.text("%logoff") == "Switching logging OFF\n"
    cells.ok("hidden = 1")
    assert cells.text("%logon") == "Switching logging ON\n"
    cells.ok("%logstop")
    text = (tmp_path / "work/my.log").read_text()
    assert text.startswith("# IPython log file\n\n") and "\na = 1\n" in text
    assert "\na + 1\n#[Out]# 2\n" in text and "hidden" not in text


def test_help_pages(session):
    cells = session()
    cells.ok("def ff(a, b=2):\n    'doc of ff'\n    return a")
    assert without_colours(cells.text("%pdef ff")) == " ff(a, b=2)\n "
    assert "doc of ff" in page(cells.ok("%pdoc ff"))
    assert page(cells.ok("%psource ff")).startswith("def ff(a, b=2):")
    assert cells.text("%psource nope") == "Object `nope` not found.\n"
    assert cells.text("%psource len") == "No source found for len\n"
    assert page(cells.ok("import textwrap\n%pfile textwrap")).startswith('"""Text wrapping')
    assert "%timeit" in page(cells.ok("%quickref")) and "%%bash" in page(cells.ok("%magic"))
    assert "What cells understand" in page(cells.ok("?"))


def test_environment_and_packages(session):
    cells = session()
    assert cells.text("%env XX_A = 2") == "env: XX_A=2\n"
    assert cells.text("%env XX_A 3") == "env: XX_A=3\n"
    assert cells.usage_error("%set_env XX_A") == "UsageError: usage is 'set_env var=val'\n"
    assert "refusing to set env var with whitespace" in cells.usage_error("%env a b=c")
    assert "does not appear to be a conda environment" in cells.traceback("%conda list")
    assert cells.text("%uv --version").endswith(
        "Note: you may need to restart the kernel to use updated packages.\n")
    assert "jupyter <app> --existing" in cells.text("%connect_info")
    assert cells.text("%sc v=echo a; echo b\nprint(repr(v))") == "'a\\nb\\n'\n"
    assert cells.result("%sc -l v=echo a; echo b\nv") == "['a', 'b']"


def test_scripts_in_the_background(session):
    cells = session()
    cells.ok("%%script bash --bg --out o --err e --proc p\necho out; echo err >&2; exit 4")
    assert cells.result("o.read(), e.read(), p.wait()") == "(b'out\\n', b'err\\n', 4)"
    cells.ok("%%script --bg --proc p sleep 60\nx")
    cells.answer(
        ("%killbgscripts", "All background processes were killed.\n"),
        ("p.wait() < 0", "True"),
        ("%%script bash --out o\necho a", ""),
        ("o", "'a\\n'"))


def test_run_options(session, tmp_path):
    cells, work = session(), tmp_path / "work"
    (work / "s.py").write_text("import sys\nprint(__name__, sys.argv)\nval = 7\n")
    (work / "e.py").write_text("import sys\nprint('x')\nsys.exit(3)\n")
    cells.answer(
        ("%run -n s.py", "s ['s.py']\n"),
        ("%run s.py 'x y' *.py", "__main__ ['s.py', 'x y', 'e.py', 's.py']\n"),
        ("%run -G s *.py", "__main__ ['s.py', '*.py']\n"))
    assert cells.run("%run e.py").content["ename"] == "SystemExit"
    assert cells.text("%run -e e.py") == "x\n"
    assert "option -x not recognized" in cells.usage_error("%run -x s.py")
    assert "Total runs performed: 2" in cells.text("%run -t -N2 s.py")
    assert "function calls" in page(cells.ok("%run -p -l 3 s.py"))
    assert cells.text("%run -m calendar 2020 1").startswith("    January 2020")
    assert cells.result("'__file__' in globals()") == "False"
    prompts, text, _ = answered(cells.kernel, "%run -d s.py", "n", "p __name__", "c")
    assert prompts == ["ipdb> "] * 3
    assert "Breakpoint 1 at" in text and "----> 2 print(__name__, sys.argv)\n" in text


def test_pdb(session):
    cells = session()
    cells.ok("def f(x):\n    local = x + 1\n    1 / 0\ndef g():\n    return f(3)")
    assert cells.text("%pdb on") == "Automatic pdb calling has been turned ON\n"
    prompts, text, content = answered(cells.kernel, "g()", "p local", "u", "q")
    assert content["ename"] == "ZeroDivisionError" and prompts == ["ipdb> "] * 3
    assert "(3)f()\n      1 def f(x):\n      2     local = x + 1\n----> 3     1 / 0\n" in text
    assert "\n4\n" in text and "----> 5     return f(3)\n" in text
    assert cells.text("%pdb") == "Automatic pdb calling has been turned OFF\n"
    prompts, text, _ = answered(cells.kernel, "%debug f(2)", "s", "s", "p x", "q")
    assert "NOTE: Enter 'c' at the ipdb>  prompt" in text and "\n2\n" in text


@pytest.mark.parametrize("stop", [
    "import pdb; pdb.set_trace()", "breakpoint()", "import IPython.core.debugger as d; d.set_trace()",
    "import IPython.core.debugger as d; d.Pdb(context=3).set_trace()"])
def test_debuggers_that_a_program_starts(session, stop):
    cells = session()
    prompts, text, content = answered(
        cells.kernel, f"def f(x):\n    local = x + 1\n    {stop}\n    return local\nf(3)", "p local", "context 1", "w",
        "u", "pdef f", "context 0", "c")
    assert content["status"] == "ok" and prompts == ["ipdb> "] * 7
    line = 3 if sys.version_info >= (3, 13) else 4  # since 3.13 a program stops where it asks, no line later
    assert f"({line})f()\n" in text and f"----> {line}     " in text and "\n4\n" in text
    assert "(5)<module>()\n----> 5 f(3)\n> " in text  # all frames, a line of each
    assert "f(x)\n" in text and "'context' command takes a positive number" in text
    prompts, text, content = answered(cells.kernel, "f(3)", "q")
    assert content["ename"] == "BdbQuit" and content["traceback"] == []
    prompts, text, _ = answered(cells.kernel, "import pdb\ntry:\n    f(1 / 0)\nexcept Exception as error:\n"
                                "    pdb.post_mortem(error.__traceback__)", "q")
    assert "----> 3     f(1 / 0)" in text


def test_the_debugger_shows_one_place_where_it_is_asked_for_none(session):
    """As pdb of 3.14 asks at each stop, for an entry that is counted as 0."""
    text = session().text("import sys\nfrom IPython.core.debugger import Pdb\ndebugger = Pdb()\ndebugger.reset()\n"
                          "def f():\n    debugger.setup(sys._getframe(), None)\n    debugger.print_stack_trace(0)\nf()")
    assert text.count("> /") == 1 and "----> 6     debugger.setup(" in text and "<module>" not in text


def test_the_debugger_passes_over_hidden_frames(session):
    cells = session()
    code = ("def inner():\n    breakpoint()\n    return 1\ndef hidden():\n    __tracebackhide__ = True\n"
            "    return inner()\ndef outer():\n    return hidden()\nouter()")
    _, text, _ = answered(cells.kernel, code, "u", "skip_hidden no", "d", "u", "u", "skip_hidden x", "c")
    places = [line.split(")")[1] for line in text.splitlines() if line.startswith("> ")]
    assert places == ["inner(", "outer(", "hidden(", "outer(", "<module>("], text
    assert "[... skipping 1 hidden frame(s)]" in text and "skip_hidden takes true or false" in text


def test_an_embedded_prompt(session):
    cells = session()
    code = ("import IPython\ndef f(a):\n    IPython.embed(header='in f')\n    return a\nf(41)")
    prompts, text, content = answered(cells.kernel, code, "a + 1", "for i in range(2):", "    print(a - i)", "", "b = [a]",
                                      "[a for _ in b]", "1 / 0", "%cd /", "exit")
    assert content["status"] == "ok"
    assert prompts == ["In [1]: ", "In [2]: ", "   ...: ", "   ...: ", "In [3]: ", "In [4]: ", "In [5]: ", "In [6]: ",
                       "In [7]: "]
    assert text.startswith("in f\nOut[1]: 42\n41\n40\nOut[4]: [41]\n") and "/\n" in text
    assert "b" not in cells.result("sorted(globals())").split("'")
    prompts, text, _ = answered(cells.kernel, "f(1)", "%kill_embedded -y", "exit")
    assert "will not ask again" in text
    assert answered(cells.kernel, "f(1)")[0] == []
    told = "IPython.embed(banner1='one', banner2='two', header='three', exit_msg='four')"
    assert answered(cells.kernel, told, "exit")[1] == "one\ntwo\nthree\nfour\n"
    assert answered(cells.kernel, "IPython.embed()", "exit")[1] == ""
    cells.ok("def g():\n    IPython.embed()")
    assert answered(cells.kernel, "g()", "%exit_raise")[2]["ename"] == "KillEmbedded"


def test_the_debugger_in_kernels(session):
    """breakpoint() asks below the cell; %debug opens at the thread that raised."""
    cells = session()
    cells.ok("import numpy as np\nfrom numba import cuda\n@cuda.jit(debug=True, opt=False)\ndef k(a):\n"
             "    i = cuda.grid(1)\n    if i == 1:\n        breakpoint()\n    b = i * 10\n    a[i + 6] = b")
    prompts, text, content = answered(cells.kernel, "k[1, 4](np.zeros(8))", "p i + 40", "n", "n", "p b + 40", "c")
    assert content["ename"] == "IndexError" and prompts == ["ipdb> "] * 5
    assert "Stopped in block (0, 0, 0) thread (1, 0, 0)" in text
    assert "\n41\n" in text and "\n50\n" in text and "----> 9     a[i + 6] = b" in text
    prompts, text, _ = answered(cells.kernel, "%debug", "p i, b, threadIdx.x", "%thread 3,0,0", "%block 1", "q")
    assert "(9)k()" in text and "(2, 20, 2)" in text
    assert text.count("*** no kernel stands here") == 2 and prompts == ["ipdb> "] * 4
    assert "%thread works where a kernel with debug=True stands" in cells.usage_error("%thread 1,0,0")


def test_magics_of_users_see_local_names(session):
    cells = session()
    cells.ok("from IPython.core.magic import register_line_magic, needs_local_scope, no_var_expand, "
             "output_can_be_silenced\n"
             "@register_line_magic\n@needs_local_scope\ndef names(line, local_ns): return sorted(local_ns)\n"
             "@register_line_magic\n@no_var_expand\ndef typed(line): return line\n"
             "@register_line_magic\n@output_can_be_silenced\ndef quiet(line): return line\n"
             "def function():\n    here = 1\n    return get_ipython().run_line_magic('names', '')")
    assert cells.result("function()") == "['here']"
    assert cells.result("%typed $x {1}") == "'$x {1}'"
    assert cells.result("%quiet a;") is None and cells.result("%quiet a") == "'a'"
