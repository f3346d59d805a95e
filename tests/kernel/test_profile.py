"""The user's IPython profile: configuration, startup files, and what %store keeps."""
import json

import conftest
import pytest


def test_a_profile_is_loaded_before_the_first_cell(start_kernel, tmp_path):
    profile = tmp_path / "profile_default"
    (profile / "startup").mkdir(parents=True)
    (profile / "startup/10-first.py").write_text("order = ['first']\ndef helper():\n    return __file__\n")
    (profile / "startup/20-second.ipy").write_text("order.append('second')\nhere = %pwd\n")
    (profile / "startup/30-broken.py").write_text("1 / 0\n")
    (profile / "startup/README").write_text("not a script")
    (profile / "ipython_config.py").write_text(
        "c = get_config()\nc.StoreMagics.autorestore = True\nc.InteractiveShell.ast_node_interactivity = 'all'\n"
        "c.InteractiveShellApp.exec_lines.append('from_a_line = 7')\nc.IPCompleter.use_jedi = False\n"
        "c.InlineBackend.figure_format = 'svg'\nc.TerminalInteractiveShell.confirm_exit = False\n"
        "c.AliasManager.user_aliases = [('say', 'echo said')]\nc.InteractiveShell.colors = 'Linux'\n"
        "load_subconfig('more_config.py')\n")
    (profile / "more_config.py").write_text("c.InteractiveShellApp.extensions = ['own_extension']\n")
    (tmp_path / "own_extension.py").write_text("def load_ipython_extension(ip):\n    ip.push({'extended': 1})\n")
    env = {"IPYTHONDIR": str(tmp_path), "PYTHONPATH": str(tmp_path)}
    first = conftest.Cells(start_kernel(env=env))
    assert first.result("order, from_a_line, extended, type(here).__name__") \
        == "(['first', 'second'], 7, 1, 'str')"
    assert [r["data"]["text/plain"] for r in first.ok("1\n2").contents("execute_result")] == ["1", "2"]
    assert first.result("get_ipython().Completer.use_jedi, get_ipython().config.StoreMagics.autorestore, "
                        "get_ipython().settings_of('InlineBackend').figure_format") == "(False, True, 'svg')"
    assert first.text("%say it").strip() == "said it"
    assert first.result("get_ipython().colors") == "'linux'"
    assert first.text("%who") == "Interactive namespace is empty.\n"
    assert first.text("kept = [1, 2]\n%store kept") == "Stored 'kept' (list)\n"
    second = conftest.Cells(start_kernel(env=env))
    assert second.result("kept") == "[1, 2]"
    assert second.run("1 / 0").content["ename"] == "ZeroDivisionError"


def test_code_wrap(cells):
    cells.ok("%%code_wrap around\nprint('before')\n__code__\nprint('after')\n__ret__")
    outcome = cells.ok("print('inside')\n6 * 7")
    assert outcome.text() == "before\ninside\nafter\n"
    assert outcome.contents("execute_result")[0]["data"]["text/plain"] == "42"
    assert "\naround\n" in cells.text("%code_wrap --list")
    assert "    __code__" in cells.text("%code_wrap --list-all")
    cells.ok("%code_wrap --remove around")
    assert cells.ok("6 * 7").text() == ""
    assert cells.text("%code_wrap --list") == ""


def test_subshell_tells_where_it_runs(cells):
    lines = dict(line.split(": ") for line in cells.text("%subshell").splitlines())
    assert lines["subshell id"] == "None" and lines["subshell list"] == "[]"
    assert lines["thread id"] == lines["main thread id"] and lines["pid"] == str(cells.kernel.pid)


def test_pastebin_says_that_it_is_not_offered(cells):
    assert "%pastebin is not offered" in cells.usage_error("%pastebin 1")


def test_time_may_forget_an_exception(cells):
    assert "Wall time" in cells.text("%time --no-raise-error 1 / 0")
    assert "Wall time" in cells.text("%%time --no-raise-error\n1 / 0")
    assert cells.run("%time 1 / 0").content["ename"] == "ZeroDivisionError"


def test_tracebacks_of_documentation(cells):
    cells.ok("%xmode Docs")
    lines = conftest.without_colours("\n".join(cells.run("1/0").contents("error")[0]["traceback"])).splitlines()
    cells.ok("%xmode Context")
    assert lines[0] == "Traceback (most recent call last): " and lines[1].startswith("Cell In[")
    assert lines[2:] == ["", "->  1/0", "", "ZeroDivisionError: division by zero"]


def _write_profile(folder):
    profile = folder / "profile_default"
    (profile / "startup").mkdir(parents=True)
    (profile / "startup/10-first.py").write_text("started = [1]\n")
    (profile / "startup/20-second.ipy").write_text("here = %pwd\n")
    (profile / "ipython_config.py").write_text(
        "c = get_config()\nc.InteractiveShell.ast_node_interactivity = 'last'\n"
        "c.InteractiveShellApp.exec_lines.append('from_a_line = get_ipython() is not None')\n")
    (profile / "ipython_config.json").write_text(json.dumps({
        "version": 1, "InteractiveShell": {"ast_node_interactivity": "all"},
        "InteractiveShellApp": {"extensions": ["own_extension"]}}))
    (folder / "own_extension.py").write_text("def load_ipython_extension(ip):\n    ip.push({'extended': 1})\n")
    return {"IPYTHONDIR": str(folder), "PYTHONPATH": str(folder)}


@pytest.mark.parametrize("choice", ["", "real"])
def test_a_profile_in_json_too(start_kernel, tmp_path, choice):
    if choice:
        pytest.importorskip("IPython")
    cells = conftest.Cells(start_kernel(env={**_write_profile(tmp_path), "GRIDCELL_IPYTHON": choice}))
    shown = cells.ok("1\n(started, from_a_line, extended, type(here).__name__)").contents("execute_result")
    assert [r["data"]["text/plain"] for r in shown] == ["1", "([1], True, 1, 'str')"]
    assert cells.text("%who").strip() == "Interactive namespace is empty."


def test_a_broken_profile_in_json_is_told(start_kernel, tmp_path):
    (tmp_path / "profile_default").mkdir()
    (tmp_path / "profile_default/ipython_config.json").write_text("{")
    kernel = start_kernel(env={"IPYTHONDIR": str(tmp_path)})
    assert conftest.Cells(kernel).result("6 * 7") == "42"
