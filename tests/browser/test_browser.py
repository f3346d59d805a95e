"""What a person sees of gridcell in JupyterLab.

The pictures in artifacts/browser are for people to look at: no test compares them.
"""
import re

import pytest
from lab import new_notebook
from playwright.sync_api import expect

STOPPED = ["print('before')", "1 / 0", *["print('never')"] * 6]
FAILS = ["raises-exception"]  # Run All goes on behind a cell with this tag

SHOWN = {
    "text": """\
import sys
print("hello from", sys.implementation.name)
print("a warning", file=sys.stderr)
{"answer": 42, "values": list(range(5))}""",
    "figure": """\
import numpy as np
import matplotlib.pyplot as plt
x = np.linspace(0, 10, 200)
plt.plot(x, np.sin(x), label="sin")
plt.plot(x, np.cos(x), label="cos")
plt.title("two waves")
plt.legend();""",
    "table": """\
import pandas as pd
pd.DataFrame({"city": ["Oslo", "Lima", "Pune"], "people": [0.7, 10.1, 7.2]},
             index=["a", "b", "c"])""",
    "jit": """\
from numba import njit

@njit
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps

collatz(27)""",
    "cfg": "collatz.inspect_cfg(collatz.signatures[0])",
    "progress": """\
import time
for i in range(21):
    print(f"\\r{i * 5:3d}% [{'#' * i:<20}]", end="", flush=True)
    time.sleep(0.01)
print(" done")""",
    "tqdm": """\
from tqdm.auto import tqdm
for i in tqdm(range(50), desc="steps"):
    time.sleep(0.002)""",
    "widget": """\
import ipywidgets as widgets
slider = widgets.IntSlider(value=7, description="size")
slider""",
    "interact": """\
from ipywidgets import interact
@interact(size=(0, 20))
def square(size=4):
    print("area", size * size)""",
    "formats": """\
%matplotlib inline
%config InlineBackend.figure_format = 'svg'
plt.plot([1, 3, 2])
plt.show()
%config InlineBackend.figure_format = 'retina'
plt.plot([1, 3, 2])
plt.show()
print("behind")""",
    "plotly": ("""\
import plotly.graph_objects as go
go.Figure(go.Bar(x=["a", "b"], y=[3, 5]), layout={"height": 300, "width": 500}
          ).show(renderer="notebook")""", FAILS),
    "capture": """\
%%capture caught
print("unseen")
42""",
    "await": """\
import asyncio
await asyncio.sleep(0.01, "slept"), caught.stdout""",
    "error": ("""\
def ratio(a, b):
    # the culprit
    return a / b

def report(values):
    try:
        return values["missing"]
    except KeyError as error:
        raise RuntimeError("no such value") from error

try:
    ratio(1, 0)
except ZeroDivisionError:
    report({"present": 1})""", FAILS),
    "syntax": ("total = 1\nprint('unfinished'\ntotal = 2", FAILS),
    "typing": ("""\
@njit
def greet(count):
    total = count + 1
    return total + "times"

greet(3)""", FAILS),
    "cuda": """\
import numpy as np
from numba import cuda

@cuda.jit
def add_one(values):
    i = cuda.grid(1)
    if i < values.size:
        values[i] += 1
        if i == 2:
            print("thread", i)

numbers = np.zeros(5)
add_one[1, 32](numbers)
cuda.synchronize()
numbers""",
    "cuda_array": "cuda.to_device(np.arange(6.0))",
    "jit_error": ("""\
@njit
def pick(values, place):
    # compiled code raises as Python does
    if place < 0:
        raise ValueError("a place must not be negative")
    return values[place]

pick(np.arange(3), -1)""", FAILS),
    "timeit": "%timeit -n 1000 -r 3 sum(range(100))",
    "shell": "!echo from the shell; echo $((6 * 7))",
    "help": "collatz?",
    "math": """\
from fractions import Fraction
class Third:
    def _repr_latex_(self):
        return r"$\\frac{1}{3} = \\sum_{k=1}^{\\infty} 4^{-k}$"
Third()""",
    "scratch": "",
}


@pytest.fixture(scope="module")
def notebook(open_notebook):
    """A notebook in which all cells were run from JupyterLab's menu."""
    opened = open_notebook("shown.ipynb", new_notebook(SHOWN.values()), height=2000)
    opened.menu("Run", "Run All Cells")
    for name, cell in zip(SHOWN, opened.cells()):
        if name == "scratch":  # an empty cell gets no number
            continue
        cell.wait_until_run().picture(f"shown-{name}")
    return opened


@pytest.fixture
def shown(notebook):
    """Gives a cell of the notebook by its name above."""
    return lambda name: notebook.cell(list(SHOWN).index(name))


def test_text(shown):
    cell = shown("text")
    assert cell.streams("stdout") == "hello from cpython"
    assert cell.streams("stderr") == "a warning"
    assert cell.result() == "{'answer': 42, 'values': [0, 1, 2, 3, 4]}"


def test_figure(shown):
    shown("figure").sees_image("png")


def test_table(shown):
    table = shown("table").output.locator("table.dataframe")
    expect(table.locator("tbody tr")).to_have_count(3)
    expect(table.locator("thead th")).to_have_text(["", "city", "people"])
    expect(table.locator("td").first).to_have_text("Oslo")


def test_jitted_result(shown):
    assert shown("jit").result() == "111"


def test_control_flow_graph_fits_into_the_notebook(shown):
    cell = shown("cfg")
    image = cell.output.locator('[data-mime-type="text/html"] img')
    expect(image).to_have_count(1)
    natural, width, room = image.evaluate("""async image => {
        await image.decode();
        const frame = image.closest(".jp-OutputArea-output");
        return [image.naturalWidth, image.clientWidth, frame.clientWidth];
    }""")
    assert natural > 100 and 100 < width <= room
    cell.picture("cfg-right")


def test_progress_bar_rewrites_its_line(shown):
    assert shown("progress").streams("stdout") == f"100% [{'#' * 20}] done"


def test_tqdm_shows_a_widget(shown):
    cell = shown("tqdm")
    expect(cell.output.locator(".widget-hprogress")).to_have_count(1)
    expect(cell.output).to_contain_text("50/50")


def test_a_slider_sets_the_value_of_its_widget(shown):
    cell = shown("widget")
    handle = cell.output.locator(".noUi-handle")
    handle.focus()
    handle.press("ArrowRight")
    expect(cell.output.locator(".widget-readout")).to_have_text("8")
    shown("scratch").run("slider.value").expect_result("8")


def test_interact_runs_the_function_again(shown):
    cell = shown("interact")
    handle = cell.output.locator(".noUi-handle")
    expect(cell.output.first).to_contain_text("area 16")
    handle.focus()
    handle.press("ArrowRight")
    expect(cell.output.first).to_contain_text("area 25")
    expect(cell.output.first).not_to_contain_text("area 16")


def test_figure_formats(shown):
    cell = shown("formats")
    cell.sees_image("png")
    natural, width = cell.output.locator('[data-mime-type="image/png"] img').evaluate(
        "image => [image.naturalWidth, image.clientWidth]")
    assert abs(natural - 2 * width) <= 2
    expect(cell.output.locator('[data-mime-type="image/svg+xml"]')).to_have_count(1)
    expect(cell.output.locator(".jp-OutputArea-child").last).to_contain_text("behind")


def test_plotly(shown):
    pytest.importorskip("plotly")
    expect(shown("plotly").output.locator(".main-svg .bars .point")).to_have_count(2)


def test_captured_output_and_await(shown):
    assert shown("capture").text() == ""
    assert "('slept', 'unseen\\n')" in shown("await").result()


def test_traceback(shown):
    cell = shown("error")
    text = cell.text()
    order = ["ZeroDivisionError", "During handling", "KeyError: 'missing'", "direct cause",
             "---> 14", "RuntimeError: no such value"]
    assert sorted(order, key=text.index) == order
    assert "\x1b" not in text and "[0m" not in text
    expect(cell.output.locator(".ansi-red-fg").first).to_have_text(re.compile("^-+$"))
    expect(cell.output.locator(".ansi-green-fg").first).to_be_visible()


def test_syntax_error_points_at_the_bracket(shown):
    lines = shown("syntax").text().splitlines()
    caret = next(number for number, line in enumerate(lines) if line.strip() == "^")
    assert lines[caret - 1][lines[caret].index("^")] == "("
    assert "SyntaxError: '(' was never closed" in lines


def test_typing_error_shows_the_source(shown):
    text = shown("typing").text()
    assert "TypingError: Failed in nopython mode pipeline" in text
    assert 'return total + "times"\n' in text and "^~~" in text
    assert "greet(3)" in text


def test_a_cuda_kernel_prints_and_computes(shown):
    cell = shown("cuda")
    assert cell.streams("stdout") == "thread 2"
    assert cell.result() == "array([1., 1., 1., 1., 1.])"


def test_an_error_in_compiled_code_shows_its_lines(shown):
    text = shown("jit_error").text()
    assert "----> 5" in text and "----> 8" in text
    assert "if place < 0:" in text.partition("in pick")[2]
    assert text.rstrip().endswith("ValueError: a place must not be negative")


def test_timeit(shown):
    assert re.search(r"per loop \(mean ± std\. dev\. of 3 runs, 1,000 loops each\)",
                     shown("timeit").text())


def test_shell_command(shown):
    assert shown("shell").streams("stdout") == "from the shell\n42"


def test_help_has_a_heading_for_each_part(shown):
    cell = shown("help")
    assert re.search(r"^Signature: +collatz\(n\)$", cell.text(), re.MULTILINE)
    expect(cell.output.locator(".ansi-red-fg").first).to_have_text("Signature:")


def test_mathematics(shown):
    expect(shown("math").output.locator("mjx-container")).to_have_count(1)


def test_run_all_stops_at_an_error(open_notebook):
    stopped = open_notebook("stopped.ipynb", new_notebook(STOPPED))
    stopped.menu("Run", "Run All Cells")
    first, failing, *queued = stopped.cells()
    failing.wait_until_run()
    assert first.streams("stdout") == "before"
    expect(failing.output).to_contain_text("ZeroDivisionError: division by zero")
    for cell in queued:
        expect(cell.prompt).to_have_text("[ ]:")
    stopped.wait_until_idle()
    stopped.picture("stopped")
    queued[0].run().wait_until_run()
    assert queued[0].streams("stdout") == "never"
    expect(queued[0].prompt).to_have_text("[3]:")


def test_dark_theme(notebook, shown):
    """Nothing here can fail by colour: the pictures are looked at."""
    notebook.choose_theme("Dark")
    for name in ("error", "typing", "cfg", "help", "progress"):
        shown(name).picture(f"dark-{name}")
    notebook.choose_theme("Light")
