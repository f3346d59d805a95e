"""Small print of magics, as IPython has it."""
import json
import re


def test_in_has_cells_as_python_and_i_as_typed(cells):
    number = cells.ok("x = !echo 1\n%cd -q .").content["execution_count"]
    typed, parsed = "x = !echo 1\n%cd -q .", "x = get_ipython().getoutput('echo 1')\nget_ipython().run_line_magic('cd', '-q .')"
    assert cells.text(f"print(_i); print(_i{number})") == f"{typed}\n{typed}\n"
    assert cells.text(f"print(In[{number}]); print(_ih[{number}])") == f"{parsed}\n{parsed}\n"
    assert cells.text("history = get_ipython().history_manager\n"
                      f"print(history.input_hist_raw[{number}]); print(history.input_hist_parsed[{number}])") \
        == f"{typed}\n{parsed}\n"
    cells.ok(f"exec(In[{number}])")
    assert cells.result("x") == "['1']"


def test_reset_keeps_what_was_typed(start_kernel, tmp_path):
    from conftest import Cells
    cells = Cells(start_kernel())
    cells.ok("first = 1")
    cells.ok("%reset -f")
    assert cells.text("%history 1") == "first = 1\n"
    assert cells.result("'first' in dir(), In[1]") == "(False, 'first = 1')"
    cells.ok("%reset -f in")
    assert cells.result("In[1]") == "''"


def test_cd_by_number(cells, tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        cells.ok(f"%cd -q {tmp_path / name}")
    number = int(cells.result("len(_dh) - 2"))
    assert cells.text(f"%cd -{number}") == f"{tmp_path / 'a'}\n"
    assert cells.text("%cd -0") == cells.text("print(_dh[0])")
    assert cells.text("%cd -999") == "The requested directory does not exist in history.\n"
    assert cells.text("%cd -q -") == ""


def test_writefile_takes_one_name(cells, tmp_path):
    cells.ok(f"%cd -q {tmp_path}")
    assert cells.usage_error("%%writefile a b\nx") == "UsageError: unrecognized arguments: b\n"
    assert cells.usage_error("%%writefile 'a b' c\nx") == "UsageError: unrecognized arguments: c\n"
    assert cells.text("%%writefile 'a b'\nx") == "Writing a b\n"
    assert cells.text("%%writefile -a 'a b'\ny") == "Appending to a b\n"
    assert (tmp_path / "a b").read_text() == "x\ny\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a b"]


def test_whos_of_tables(cells):
    cells.ok("%reset -f\nimport pandas\ntable = pandas.DataFrame({'a': [1, 2]}); row = table['a']")
    lines = [line.split(maxsplit=2) for line in cells.text("%whos").splitlines()]
    assert ["table", "DataFrame", "Shape: (2, 1)"] in lines and ["row", "Series", "Shape: (2,)"] in lines


def test_timeit_result_is_made_as_ipythons(cells):
    text = cells.result("from IPython.core.magics.execution import TimeitResult\n"
                        "r = TimeitResult(100, 3, 1e-6, 2e-6, [1e-4, 1.5e-4, 2e-4], 0.1, 3); r")
    assert text == "<TimeitResult : 1.5 \u03bcs \u00b1 408 ns per loop (mean \u00b1 std. dev. of 3 runs, 100 loops each)>"
    assert cells.result("r.best, r.worst, r.loops, r.repeat, r.compile_time, r._precision") \
        == "(1e-06, 2e-06, 100, 3, 0.1, 3)"
    assert cells.result("t = %timeit -n 10 -r 2 -o -q pass\nt.best == min(t.timings), t.worst == max(t.timings)") \
        == "(True, True)"


def test_run_with_magics_runs_in_the_users_namespace(cells, tmp_path):
    (tmp_path / "own.ipy").write_text("m = 3\n!echo {m} $m\nimport sys\nargs = sys.argv[1:]\nm + 1\n")
    cells.ok(f"%cd -q {tmp_path}")
    outcome = cells.ok("%run own.ipy a b")
    assert outcome.text().strip() == "3 3" and "execute_result" not in outcome.types
    assert cells.result("m, args, '__file__' in globals()") == "(3, ['a', 'b'], False)"


def test_a_notebook_that_is_run_shows_displays_and_no_results(cells, tmp_path):
    sources = ["1 + 1", "made = 5\ndisplay(made)\nmade"]
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
        {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None}
        for source in sources]}
    (tmp_path / "own.ipynb").write_text(json.dumps(notebook))
    outcome = cells.ok(f"%run {tmp_path}/own.ipynb")
    assert [c["data"]["text/plain"] for c in outcome.contents("display_data")] == ["5"]
    assert "execute_result" not in outcome.types and cells.result("made") == "5"


def test_run_tells_a_script_where_it_is(cells, tmp_path):
    (tmp_path / "own.py").write_text("import sys\nprint(__file__, sys.argv)\n1/0\n")
    cells.ok(f"%cd -q {tmp_path}")
    outcome = cells.run("%run own.py")
    assert outcome.text() == f"{tmp_path}/own.py ['own.py']\n"
    assert f"{tmp_path}/own.py:3" in cells.traceback("%run own.py")


def test_silent_nested_cells(cells):
    assert "execute_result" not in cells.ok("get_ipython().run_cell('5', silent=True);").types
    results = cells.ok("r = get_ipython().run_cell('5')").contents("execute_result")
    assert [c["data"]["text/plain"] for c in results] == ["5"]


def test_source_of_a_class_that_a_cell_defines(cells):
    cells.ok("class Plain:\n    size = 1\n\n    class Inner:\n        pass\n\n"
             "import dataclasses\n@dataclasses.dataclass\nclass Point:\n    x: int = 1\n\n"
             "def make():\n    class Local:\n        def f(self): return 1\n    return Local\nlocal = make()")
    cells.ok("class Plain:\n    size = 2")

    def page(name):
        return re.sub("\x1b\\[[0-9;]*m", "", cells.ok(name).content["payload"][0]["data"]["text/plain"])

    assert "class Plain:\n    size = 2\n" in page("Plain??") and "size = 1" not in page("Plain??")
    assert "@dataclasses.dataclass\nclass Point:\n    x: int = 1\n" in page("Point??")
    assert "    class Local:\n        def f(self): return 1" in page("local??")
    assert "/ipykernel_" in page("Point?") and "Source" not in page("Point?")
    assert "class Point:" in page("%psource Point")
    cells.ok("made = type('Made', (), {})")
    assert "Source" not in page("made??") and "File" not in page("made??")
