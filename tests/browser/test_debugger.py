"""JupyterLab's debugger: a breakpoint in the gutter, the panels of its sidebar, steps."""
import re

import pytest
from lab import new_notebook
from playwright.sync_api import expect

pytest.importorskip("debugpy")

CODE = """\
def area(width, height):
    product = width * height
    return product

sizes = [area(n, 10) for n in (1, 2)]
print("sizes", sizes)"""
KERNEL = """\
import numpy as np
from numba import cuda, float32

@cuda.jit(debug=True, opt=False)
def neighbours(a, out):
    tile = cuda.shared.array(4, float32)
    i = cuda.threadIdx.x
    tile[i] = a[i] * 2
    cuda.syncthreads()
    taken = tile[(i + 1) % 4]
    out[i] = taken

a, out = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
neighbours[1, 4](a, out)
print(out[:4])"""


class Debugger:
    """The sidebar of JupyterLab's debugger."""

    def __init__(self, notebook):
        self.notebook = notebook
        self.page = notebook.page
        self.sidebar = self.page.locator(".jp-DebuggerSidebar")
        self.variables = self.sidebar.locator(
            ".jp-DebuggerVariables-body:not(.lm-mod-hidden)")
        self.stopped_at = notebook.panel.locator(".cm-line.jp-DebuggerEditor-highlight")
        self.breakpoints = notebook.cell(0).element.locator(
            ".cm-breakpoint-icon").filter(visible=True)

    def switch(self):
        button = self.notebook.panel.locator(".jp-DebuggerBugButton")
        expect(button).not_to_have_attribute("aria-disabled", "true")
        button.click()

    def is_on(self, value):
        expect(self.notebook.panel.locator(".jp-DebuggerBugButton")).to_have_attribute(
            "aria-pressed", str(value).lower())

    def open_sidebar(self):
        tab = self.page.locator('.lm-TabBar-tab[data-id="jp-debugger-sidebar"]')
        if not self.sidebar.is_visible():
            tab.click()
        expect(self.sidebar).to_be_visible()

    def click_gutter(self, line, cell=0):
        gutter = self.notebook.cell(cell).element.locator(".cm-breakpoint-gutter")
        gutter.locator(".cm-gutterElement").nth(line).click()

    def press(self, command):
        self.sidebar.locator(f'[data-command="debugger:{command}"]').first.click()

    def expect_stop(self, line):
        expect(self.stopped_at).to_have_text(line)

    def expect_variable(self, name, value):
        expect(self.variables).to_contain_text(re.compile(rf"{re.escape(name)}:?\s*{re.escape(value)}"))


@pytest.fixture(scope="module")
def notebook(open_notebook):
    return open_notebook("debugged.ipynb", new_notebook([CODE, "", KERNEL]), height=900)


@pytest.fixture(scope="module")
def debugger(notebook):
    made = Debugger(notebook)
    made.switch()
    made.is_on(True)
    made.open_sidebar()
    return made


def test_a_breakpoint_stops_and_steps_go_on(notebook, debugger):
    cell = notebook.cell(0)
    debugger.click_gutter(2)
    expect(debugger.breakpoints).to_have_count(1)
    expect(debugger.sidebar.locator(".jp-DebuggerBreakpoint")).to_have_count(1)
    cell.run()
    debugger.expect_stop("    product = width * height")
    debugger.expect_variable("width", "1")
    debugger.expect_variable("height", "10")
    expect(debugger.sidebar.locator(".jp-DebuggerCallstackFrame-name").first).to_have_text("area")
    notebook.picture("debugger-stopped")
    debugger.press("next")
    debugger.expect_stop("    return product")
    debugger.expect_variable("product", "10")
    debugger.press("continue")
    debugger.expect_stop("    product = width * height")
    debugger.expect_variable("width", "2")
    debugger.click_gutter(2)
    expect(debugger.breakpoints).to_have_count(0)
    debugger.press("continue")
    cell.wait_until_run()
    assert cell.streams("stdout") == "sizes [10, 20]"


def test_the_variables_of_the_notebook_are_listed(notebook, debugger):
    notebook.cell(1).run("answer = 42\nwords = ['a', 'b']").wait_until_run()
    debugger.expect_variable("answer", "42")
    debugger.expect_variable("words", "")
    notebook.picture("debugger-variables")


def test_a_breakpoint_in_a_kernel(notebook, debugger):
    cell = notebook.cell(2)
    debugger.click_gutter(10, cell=2)
    cell.run()
    debugger.expect_stop("    taken = tile[(i + 1) % 4]")
    debugger.expect_variable("i", "0")
    tile = debugger.variables.get_by_role("treeitem", name="tile: array(float32, 1d, C)")
    tile.click()
    tile.press("ArrowRight")
    debugger.expect_variable("[2]", "4")
    frames = debugger.sidebar.locator(".jp-DebuggerCallstackFrame-name")
    expect(frames).to_have_text(["neighbours", "<module>"])
    notebook.picture("debugger-kernel")
    notebook.choose_theme("Dark")
    notebook.picture("debugger-kernel-dark")
    notebook.choose_theme("Light")
    debugger.press("next")
    debugger.expect_stop("    out[i] = taken")
    debugger.expect_variable("taken", "2")
    debugger.press("continue")
    debugger.expect_stop("    taken = tile[(i + 1) % 4]")
    debugger.expect_variable("i", "1")
    debugger.click_gutter(10, cell=2)
    expect(debugger.sidebar.locator(".jp-DebuggerBreakpoint")).to_have_count(0)
    debugger.press("continue")
    cell.wait_until_run()
    assert cell.streams("stdout") == "[2. 4. 6. 0.]"


def test_the_debugger_is_switched_off(notebook, debugger):
    debugger.switch()
    debugger.is_on(False)
    cell = notebook.cell(1)
    cell.run("area(3, 5)").expect_result("15")
    expect(cell.prompt).to_have_text(re.compile(r"\d"))
