"""How outputs of a cell come together, and what JupyterLab asks by itself while one types."""
import re

import pytest
from lab import new_notebook
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def notebook(open_notebook):
    return open_notebook("outputs.ipynb", new_notebook(["", "", ""]))


@pytest.fixture
def cells(notebook):
    return notebook.cells()


def test_lines_are_merged_and_rewritten_as_in_a_terminal(cells):
    cell = cells[0].run("import sys\nprint('one', end='')\nprint(' two')\nprint('abc\\b\\bX')\nprint('12345\\rab')\n"
                        "print('last')")
    cell.wait_until_run()
    assert cell.streams("stdout").splitlines() == ["one two", "aX", "ab345", "last"]
    expect(cell.output.locator(".jp-OutputArea-child")).to_have_count(1)


def test_outputs_are_replaced_when_the_next_one_comes(cells):
    cell = cells[0].run("from IPython.display import clear_output\nfor i in range(5):\n    print('turn', i)\n"
                        "    clear_output(wait=True)\nprint('end')")
    cell.wait_until_run()
    expect(cell.output.locator(".jp-OutputArea-child")).to_have_count(1)
    assert cell.streams("stdout") == "end"
    cell.run("print('gone')\nclear_output()").wait_until_run()
    expect(cell.output.locator(".jp-OutputArea-child")).to_have_count(0)


def test_a_display_is_updated_wherever_it_stands(cells):
    first, second, third = cells
    first.run("handle = display('old', display_id='shared')").wait_until_run()
    second.run("display('old', display_id='shared');").wait_until_run()
    third.run("handle.update('new')").wait_until_run()
    for cell in (first, second):
        expect(cell.output).to_contain_text("'new'")
        expect(cell.output).not_to_contain_text("'old'")


def test_many_displays_are_hidden_behind_a_click(cells):
    cell = cells[0].run("for i in range(60): display(i)")
    cell.wait_until_run()
    expect(cell.output.locator(".jp-OutputArea-child")).to_have_count(51)
    cell.output.get_by_text(re.compile("Show more outputs")).click()
    expect(cell.output.locator(".jp-OutputArea-child")).to_have_count(60)


def test_the_time_that_a_cell_took_is_recorded(notebook, cells):
    cells[0].run("import time; time.sleep(0.3)").wait_until_run()
    notebook.wait_until_idle()
    times = notebook.page.evaluate("""() => {
        const widget = window.jupyterapp.shell.currentWidget;
        return widget.content.widgets[0].model.getMetadata("execution") }""")
    reply = "shell.execute_reply"
    assert {"iopub.execute_input", "iopub.status.busy", "iopub.status.idle", reply, reply + ".started"} <= set(times)
    took = notebook.page.evaluate("times => new Date(times[1]) - new Date(times[0])",
                                  [times[reply + ".started"], times[reply]])
    assert 250 < took < 10000


def test_the_status_bar_follows_the_kernel(notebook, cells):
    status = notebook.page.locator("#jp-bottom-panel")
    expect(status).to_contain_text("Python (gridcell) | Idle")
    cells[0].run("time.sleep(1.5)")
    expect(status).to_contain_text("Python (gridcell) | Busy")
    expect(cells[0].prompt).to_have_text("[*]:")
    expect(status).to_contain_text("Python (gridcell) | Idle")


def test_a_link_in_a_traceback_leads_to_the_file(notebook, cells):
    cell = cells[0].run("import json; json.loads('{')")
    cell.wait_until_run()
    expect(cell.output).to_contain_text("JSONDecodeError")
    expect(cell.output).to_contain_text(re.compile(r"json/__init__\.py:\d+, in loads"))


def test_help_stands_under_the_cell(cells):
    cell = cells[0].run("%timeit?")
    cell.wait_until_run()
    expect(cell.output).to_contain_text("-n")
