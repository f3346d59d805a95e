"""What a person does with gridcell in JupyterLab while cells run and are written."""
import re

import pytest
from lab import new_notebook
from playwright.sync_api import expect

ENDLESS = """\
print("started", flush=True)
try:
    while True:
        pass
finally:
    print("tidied up")"""

JITTED = """\
from numba import njit

@njit
def scale(values, factor=2.0):
    "Multiplies each value by the factor."
    return values * factor"""


@pytest.fixture(scope="module")
def notebook(open_notebook):
    return open_notebook("interaction.ipynb", new_notebook([""]))


@pytest.fixture
def cell(notebook):
    return notebook.cell(0)


def test_the_stop_button_interrupts_a_loop(notebook, cell):
    cell.run(ENDLESS)
    expect(cell.output).to_contain_text("started")
    notebook.toolbar("interrupt")
    cell.wait_until_run()
    expect(cell.output).to_contain_text("tidied up")
    expect(cell.output).to_contain_text("KeyboardInterrupt")
    cell.picture("interrupted")
    cell.run("6 * 7").expect_result("42")


def test_a_question_is_answered(cell):
    cell.run("name = input('Your name? ')\nprint('Hello,', name)")
    field = cell.output.locator(".jp-Stdin-input")
    expect(field).to_be_visible()
    cell.picture("question")
    field.fill("Ada")
    field.press("Enter")
    expect(cell.output).to_contain_text("Hello, Ada")
    cell.picture("answered")


def test_tab_completes(notebook, cell):
    cell.run("import math\nwith_a_long_name = 'text'").wait_until_run()
    cell.edit("math.co")
    notebook.page.keyboard.press("Tab")
    popup = notebook.page.locator(".jp-Completer:not(.lm-mod-hidden)")
    expect(popup.locator(".jp-Completer-match").get_by_text("copysign")).to_be_visible()
    expect(popup.locator(".jp-Completer-item")).to_have_count(4)
    notebook.picture("completion")
    popup.locator(".jp-Completer-item", has_text="copysign").click()
    expect(cell.editor).to_have_text("math.copysign")


def test_a_variable_is_completed_with_its_kind(notebook, cell):
    cell.edit("with_a_lo")
    notebook.page.keyboard.press("Tab")
    popup = notebook.page.locator(".jp-Completer:not(.lm-mod-hidden)")
    expect(popup.locator(".jp-Completer-item")).to_have_text(re.compile("with_a_long_name"))
    notebook.page.keyboard.press("Enter")
    expect(cell.editor).to_have_text("with_a_long_name")


def test_shift_tab_shows_signature_and_docstring(notebook, cell):
    cell.run(JITTED).wait_until_run()
    cell.edit("scale(")
    notebook.page.keyboard.press("Shift+Tab")
    tooltip = notebook.page.locator(".jp-Tooltip")
    expect(tooltip).to_contain_text("scale(values, factor=2.0)")
    expect(tooltip).to_contain_text("Multiplies each value by the factor.")
    notebook.picture("inspection")
    notebook.page.keyboard.press("Escape")


def test_output_is_there_before_the_cell_ends(cell):
    cell.run("import threading\nprint('early')\nthreading.Event().wait(60)")
    cell.interrupt_after("early")


def test_a_display_is_updated_in_place(cell):
    cell.run("""\
from IPython.display import HTML, clear_output
print('gone soon')
clear_output(wait=True)
shown = display(HTML('<b>first</b>'), display_id=True)
for step in range(100):
    shown.update(HTML(f'<b>step {step}</b>'))""").wait_until_run()
    expect(cell.output.locator("b")).to_have_text(["step 99"])
    expect(cell.output).not_to_contain_text("gone soon")


def test_many_lines_do_not_stop_the_page(cell):
    cell.run("for line in range(100_000):\n    print('line', line)").wait_until_run()
    # the page shows the first part of such a long text
    expect(cell.output).to_contain_text("line 1000")
    cell.run("'still here'").expect_result("'still here'")


def test_a_kernel_that_dies_is_started_again(notebook, cell):
    cell.run("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    expect(notebook.dialog).to_contain_text("appears to have died")
    notebook.picture("died")
    notebook.accept()
    notebook.wait_until_idle()
    cell.run("1 + 1").expect_result("2")


def test_restart_forgets_everything(notebook, cell):
    cell.run("kept = 1\nkept").expect_result("1")
    notebook.toolbar("restart")
    notebook.picture("restart")
    notebook.accept()
    notebook.wait_until_idle()
    cell.run("'kept' in globals()").expect_result("False")
    expect(cell.prompt).to_have_text("[1]:")
