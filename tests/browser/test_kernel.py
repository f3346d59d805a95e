"""The kernel's life in JupyterLab: restarts, its end, programs, secrets, a subshell's console."""
import re

import pytest
from lab import new_notebook
from playwright.sync_api import expect

COUNTED = ["try:\n    runs += 1\nexcept NameError:\n    runs = 1\nruns", "runs * 10", ""]


@pytest.fixture(scope="module")
def notebook(open_notebook):
    return open_notebook("kernel.ipynb", new_notebook(COUNTED))


@pytest.fixture
def cell(notebook):
    return notebook.cell(2)


def test_restart_and_run_all(notebook):
    notebook.menu("Run", "Run All Cells")
    notebook.cell(1).wait_until_run().expect_result("10")
    notebook.cell(0).run().wait_until_run().expect_result("2")
    notebook.toolbar("restart-and-run")
    notebook.accept()
    notebook.cell(0).expect_result("1")
    notebook.cell(1).wait_until_run().expect_result("10")
    expect(notebook.cell(0).prompt).to_have_text("[1]:")
    notebook.wait_until_idle()


def test_a_program_writes_while_it_runs(cell):
    cell.run("!echo first; sleep 600")
    cell.interrupt_after("first")
    cell.run("!printf 'a\\n\\033[31mred\\033[0m\\n'").wait_until_run()
    expect(cell.output.locator(".ansi-red-fg")).to_have_text("red")


def test_a_secret_is_not_shown(cell):
    cell.run("import getpass\nlen(getpass.getpass('Password: '))")
    field = cell.output.locator(".jp-Stdin-input")
    expect(field).to_have_attribute("type", "password")
    field.fill("secret")
    field.press("Enter")
    cell.expect_result("6")
    expect(cell.output).not_to_contain_text("secret")


def test_a_console_of_a_subshell_answers_while_a_cell_runs(notebook, cell):
    cell.run("import threading\nshared = threading.Event()\nshared.wait(600)")
    expect(cell.prompt).to_have_text("[*]:")
    notebook.page.evaluate(
        "window.jupyterapp.commands.execute('notebook:create-subshell-console')")
    console = notebook.page.locator(".jp-CodeConsole")
    editor = console.locator(".jp-CodeConsole-input .cm-content")
    editor.click()
    notebook.page.keyboard.insert_text("shared.set(); 6 * 7")
    notebook.page.keyboard.press("Shift+Enter")
    expect(console.locator(".jp-OutputArea-executeResult")).to_contain_text("42")
    notebook.picture("subshell-console")
    cell.wait_until_run().expect_result("True")


def test_a_crash_says_what_it_was(notebook, cell):
    cell.run("import ctypes\nprint('last words')\nctypes.string_at(0)")
    expect(notebook.dialog).to_contain_text("appears to have died")
    expect(cell.output).to_contain_text("last words")
    expect(cell.output).to_contain_text(re.compile("SIGSEGV|[Ss]egmentation"))
    notebook.accept()
    notebook.wait_until_idle()
    cell.picture("crashed")
    cell.run("1 + 1").expect_result("2")
