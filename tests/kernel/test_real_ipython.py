"""GRIDCELL_IPYTHON=real: cells run through IPython's own shell, where it is installed."""
import sys

import pytest
from conftest import without_colours

pytest.importorskip("IPython")


@pytest.fixture(scope="module")
def kernel(gridcell, kernel_class, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    shared = kernel_class(gridcell, env={"GRIDCELL_IPYTHON": "real", "IPYTHONDIR": str(home)})
    yield shared
    shared.close()


def test_the_shell_is_ipythons(cells):
    outcome = cells.ok("import IPython\nprint('/gridcell/ipython/' in IPython.__file__)\n"
                       "[c.__module__ for c in type(get_ipython()).__mro__[:2]]")
    assert outcome.text() == "False\n"
    assert outcome.contents("execute_result")[0]["data"]["text/plain"] == \
        "['ipykernel.zmqshell', 'IPython.core.interactiveshell']"
    assert cells.result("get_ipython().__class__.__name__, 'IPKernelApp' in get_ipython().config, "
                        "get_ipython().kernel.shell is get_ipython()") == "('ZMQInteractiveShell', True, True)"


def test_counts_results_and_underscores(cells):
    outcome = cells.ok("6 * 7")
    number = outcome.content["execution_count"]
    shown = outcome.contents("execute_result")[0]
    assert (shown["execution_count"], shown["data"]) == (number, {"text/plain": "42"})
    assert cells.result(f"_, Out[{number}], In[{number}], _i") == "(42, 42, '6 * 7', '6 * 7')"
    assert cells.ok("1", store_history=False).content["execution_count"] in (number + 1, number + 2)


def test_tracebacks_are_ipythons(cells):
    outcome = cells.run("def f(): return 1 / 0\nf()")
    error = outcome.contents("error")[0]
    assert outcome.content["status"] == "error"
    assert {key: outcome.content[key] for key in error} == error
    text = without_colours("\n".join(error["traceback"]))
    assert "----> 2 f()" in text and text.endswith("ZeroDivisionError: division by zero")
    assert cells.run("x = = 1").content["ename"] == "SyntaxError"


def test_magics_are_ipythons(cells):
    assert "per loop" in cells.text("%timeit -n1 -r1 pass")
    assert "Line magic function `%nonsense` not found." in cells.run("%nonsense").text("stderr")
    assert cells.run("%nonsense").content["ename"] == "UsageError"
    assert cells.text("!echo out").split() == ["out"]
    assert cells.result("files = !echo a b\nfiles") == "['a b']"
    assert cells.text("%%bash\necho in bash") == "in bash\n"
    cells.ok("%%capture kept\nprint('x'); display(1)")
    assert cells.result("kept.stdout, len(kept.outputs)") == r"('x\n', 1)"
    assert cells.ok("len?").content["payload"][0]["source"] == "page"


def test_displays_and_updates(cells):
    outcome = cells.ok("from IPython.display import HTML, display, clear_output\n"
                       "handle = display(HTML('<b>x</b>'), display_id='here'); handle.update(HTML('y'))\n"
                       "clear_output(wait=True)")
    assert outcome.contents("display_data")[0]["data"]["text/html"] == "<b>x</b>"
    update = outcome.contents("update_display_data")[0]
    assert (update["data"]["text/html"], update["transient"]) == ("y", {"display_id": "here"})
    assert outcome.contents("clear_output") == [{"wait": True}]


def test_figures_and_widgets(cells):
    pytest.importorskip("matplotlib")
    data = cells.data("import matplotlib.pyplot as plt\nplt.figure(figsize=(1, 1)); plt.plot([1, 2]);")
    assert data["image/png"].startswith("iVBORw0KGgo")
    pytest.importorskip("ipywidgets")
    assert cells.ok("import ipywidgets\nipywidgets.IntSlider()").contents("comm_open")


def test_top_level_await(cells):
    assert cells.result("import asyncio\nawait asyncio.sleep(0.01)\nasyncio.get_running_loop().is_running()") == "True"
    assert cells.result("task = asyncio.create_task(asyncio.sleep(0.01, 'done'))\nawait task") == "'done'"


def test_transformers_and_events(cells):
    cells.ok("get_ipython().input_transformers_cleanup.append("
             "lambda lines: [line.replace('quiet', 'LOUD') for line in lines])")
    assert cells.text("print('quiet')") == "LOUD\n"
    cells.ok("get_ipython().input_transformers_cleanup.clear()")
    cells.ok("seen = []\nnote = lambda result: seen.append(result.success)\n"
             "get_ipython().events.register('post_run_cell', note)")
    cells.run("1 / 0")
    assert cells.result("get_ipython().events.unregister('post_run_cell', note); seen") == "[True, False]"


def test_leaving_and_interrupting(cells, kernel):
    assert cells.run("import sys\nsys.exit(3)").content["ename"] == "SystemExit"
    msg_id = kernel.client.execute("print('now', flush=True)\nwhile True: pass")
    kernel.wait_for_text("now")
    kernel.manager.interrupt_kernel()
    assert kernel.receive_reply(msg_id)["content"]["ename"] == "KeyboardInterrupt"
    kernel.receive_until_idle(msg_id)
    assert cells.result("1 + 1") == "2"


def test_without_ipython_the_kernel_says_so(start_kernel):
    other = start_kernel(python=getattr(sys, "_base_executable", sys.executable),
                         env={"GRIDCELL_IPYTHON": "real", "VIRTUAL_ENV": "", "PYTHONPATH": ""})
    first = other.run("6 * 7")
    if "IPython" not in first.text("stderr"):
        pytest.skip("the Python of the system has an IPython")
    assert "this Python has no IPython" in first.text("stderr")
    assert first.contents("execute_result")[0]["data"]["text/plain"] == "42"
    assert other.run("%lsmagic").content["status"] == "ok"
    assert other.run("1").text("stderr") == ""
