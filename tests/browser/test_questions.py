"""What JupyterLab completes at Tab and explains at Shift-Tab, by kinds of names."""
import re

import pytest
from lab import new_notebook
from playwright.sync_api import expect

SETUP = """\
import numpy as np
prices = {"apple": 1, "apricot": 2}
def paint(colour, thickness=2):
    "Paints a line."
open("figures_of_today.csv", "w").close()"""


@pytest.fixture(scope="module")
def notebook(open_notebook):
    opened = open_notebook("questions.ipynb", new_notebook([SETUP, ""]))
    opened.cell(0).run().wait_until_run()
    return opened


@pytest.fixture
def cell(notebook):
    return notebook.cell(1)


@pytest.mark.parametrize("written, offered", [
    ("np.linsp", "linspace"),
    ("paint(thi", "thickness="),
    ("prices['apr", "apricot"),
    ("open('figures_of_t", "figures_of_today.csv"),
    ("%%timei", "%%timeit"),
    ("%loa", "%load_ext"),
], ids=["attribute", "keyword", "key", "file", "cell-magic", "line-magic"])
def test_tab(notebook, cell, written, offered, request):
    cell.edit(written)
    notebook.page.keyboard.press("Tab")
    popup = notebook.page.locator(".jp-Completer:not(.lm-mod-hidden)")
    # the only match is written at once, several are offered
    expect(popup.get_by_text(offered).or_(cell.editor.filter(has_text=offered)).first
           ).to_be_visible()
    notebook.picture(f"tab-{request.node.callspec.id}")
    notebook.page.keyboard.press("Escape")


@pytest.mark.parametrize("written, explained", [
    ("paint(", ["paint(colour, thickness=2)", "Paints a line."]),
    ("prices", ["dict", "apricot"]),
    ("np.linspace", ["linspace(", "evenly spaced"]),
], ids=["function", "variable", "numpy"])
def test_shift_tab(notebook, cell, written, explained):
    cell.edit(written)
    notebook.page.keyboard.press("Shift+Tab")
    tooltip = notebook.page.locator(".jp-Tooltip")
    for text in explained:
        expect(tooltip).to_contain_text(text)
    notebook.page.keyboard.press("Escape")


def test_help_and_source(cell):
    cell.run("paint?").wait_until_run()
    expect(cell.output).to_contain_text(re.compile(r"Signature:\s+paint\(colour, thickness=2\)"))
    cell.run("paint??").wait_until_run()
    expect(cell.output).to_contain_text("def paint(colour, thickness=2):")
    cell.picture("source")


def test_the_contextual_help_panel_follows_the_cursor(notebook, cell):
    notebook.page.evaluate("window.jupyterapp.commands.execute('inspector:open')")
    cell.edit("paint(")
    panel = notebook.page.locator(".jp-Inspector")
    expect(panel).to_contain_text("Paints a line.")
    notebook.picture("contextual-help")
    notebook.page.evaluate("window.jupyterapp.commands.execute('inspector:close')")


def test_history_suggests_the_rest_of_a_line(notebook, cell):
    cell.run("a_name_seen_before = 6 * 7").wait_until_run()
    cell.edit("a_name_seen_be")
    notebook.page.keyboard.type("f")
    ghost = cell.editor.locator(".jp-GhostText")
    expect(ghost).to_contain_text("ore = 6 * 7")
    cell.picture("suggested")
    notebook.page.keyboard.press("Alt+End")
    expect(cell.editor).to_have_text("a_name_seen_before = 6 * 7")


def continues(editor, text, lines):
    """Types a line and Enter: whether the editor has so many lines then. JupyterLab runs what is there when
    the answer takes more than a quarter of a second, as on a machine that is busy otherwise."""
    editor.page.keyboard.type(text)
    editor.page.keyboard.press("Enter")
    editor.page.wait_for_timeout(1000)
    return editor.locator(".cm-line").count() == lines


def test_a_console_asks_whether_the_input_is_complete(notebook):
    notebook.page.evaluate("window.jupyterapp.commands.execute('notebook:create-console')")
    console = notebook.page.locator(".jp-CodeConsole")
    expect(console.locator(".jp-CodeConsole-banner")).to_contain_text("gridcell")
    editor = console.locator(".jp-CodeConsole-input .cm-content")
    editor.click()
    assert any(continues(editor, "for turn in range(2):", 2) and continues(editor, "print('turn', turn)", 3)
               for _ in range(5))
    notebook.page.keyboard.press("Enter")
    expect(console.locator(".jp-OutputArea-output").last).to_contain_text("turn 1")
    notebook.picture("console")
