"""A learner with a notebook of the course: folded solutions, a check that says what is wrong, and Run All, which goes on
past exercises that nobody has answered."""
import json

import pytest
from lab import ROOT
from playwright.sync_api import expect

SETUP, ANSWER, CHECK, SOLUTION, LAST = 0, 2, 3, 4, 5
RIGHT = """@cuda.jit
def scale(values, factor):
    i = cuda.grid(1)
    if i < values.size:
        values[i] *= factor"""


@pytest.fixture(scope="module")
def notebook(open_notebook):
    whole = json.loads((ROOT / "notebooks/06-first-kernels.ipynb").read_text())
    wanted = ("setup", "exercise-1", "exercise-1-answer", "exercise-1-check", "exercise-1-solution")
    whole["cells"] = [cell for cell in whole["cells"] if cell["id"] in wanted]
    whole["cells"].append({"cell_type": "code", "id": "last", "source": "6 * 7", "outputs": [], "execution_count": None,
                           "metadata": {}})
    # as from the file browser, and to be asked for the kernel, as the other notebooks here are
    del whole["metadata"]["kernelspec"]
    return open_notebook("course.ipynb", whole, height=1100)


def test_solutions_are_folded(notebook):
    solution = notebook.cell(SOLUTION)
    expect(solution.element.locator(".jp-InputPlaceholder")).to_be_visible()
    expect(solution.editor).to_have_count(0)
    expect(notebook.cell(CHECK).editor).to_be_visible()


def test_run_all_goes_on_past_what_is_not_answered(notebook):
    notebook.menu("Run", "Run All Cells")
    notebook.cell(LAST).expect_result("42")
    check = notebook.cell(CHECK)
    expect(check.output).to_contain_text("Not answered yet: write the body of scale()")
    assert "Traceback" not in check.text() and "File" not in check.text()
    expect(notebook.cell(SOLUTION).output).to_contain_text("Exercise 1 is right.")
    test_solutions_are_folded(notebook)
    notebook.picture("course-run-all")


def test_a_wrong_and_a_right_answer(notebook):
    answer, check = notebook.cell(ANSWER), notebook.cell(CHECK)
    answer.run(RIGHT.replace("    if i < values.size:\n        ", "    ")).wait_until_run()
    check.run()
    expect(check.output).to_contain_text("thread 18 of block 1 reaches beyond")
    notebook.picture("course-wrong")
    answer.run(RIGHT).wait_until_run()
    check.run()
    expect(check.output).to_contain_text("Exercise 1 is right.")
    notebook.picture("course-right")
