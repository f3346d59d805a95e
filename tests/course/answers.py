"""Wrong answers to the exercises of a notebook, made of its own solutions by a change, or written out."""
import inspect
import itertools
import json
import linecache
import pathlib
import re

import gridcell
import pytest

gridcell.activate()
from gridcell.course import NotRight

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[2] / "notebooks"
PRELUDE = """import math
import numpy as np
from numba import cuda, float32, float64, int32, int64, njit, vectorize
"""
_numbers = itertools.count()


def cells(lesson):
    """The cells of the notebook of that number."""
    path, = NOTEBOOKS.glob(f"{lesson:02}-*.ipynb")
    return json.loads(path.read_text())["cells"]


def source(lesson, exercise, part):
    """The text of the cell that is the `answer` (a stub), `check` or `solution` of an exercise."""
    text, = ("".join(cell["source"]) for cell in cells(lesson) if cell["id"] == f"exercise-{exercise}-{part}")
    return text


def solution(lesson, exercise, *changes):
    """The solution's source without its check, after the changes, each (old, new)."""
    text = source(lesson, exercise, "solution").split("\ncheck.")[0]
    for old, new in changes:
        assert old in text, f"the solution of exercise {exercise} has no {old!r}"
        text = text.replace(old, new)
    return text


def names(lesson, exercise):
    """What the check takes."""
    arguments, = re.findall(r"^check\.exercise_\d+\((.*)\)$", source(lesson, exercise, "check"), re.MULTILINE)
    return arguments.split(", ")


def defined(text, wanted, prelude=""):
    """Runs the text as a cell, and gives what it defines under the wanted names."""
    file, text = f"<answer {next(_numbers)}>", PRELUDE + prelude + text
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space = {"__name__": "answers"}
    exec(compile(text, file, "exec"), space)
    return [space[name] for name in wanted]


def steps(check):
    """The names of the steps of a check."""
    return re.findall(r'yield "(.*)"', inspect.getsource(check))


def fails(check, answers, step, *texts):
    """The check ends at that step, with a message that has the texts."""
    with pytest.raises(NotRight) as caught:
        check(*answers)
    shown = caught.value._render_traceback_()
    assert f"  \u2717 {step}" in shown, "\n".join(shown)
    for text in texts:
        assert text in str(caught.value), "\n".join(shown)


def cases_of(lesson, checks, wrong, prelude=""):
    """The tests of one notebook's checks. `wrong` has rows (exercise, answer, step, texts...): the answer is a change
    of the solution, several of them, or a whole source."""
    numbers = sorted({row[0] for row in wrong})

    def check_of(exercise):
        return getattr(checks, f"exercise_{exercise}")

    @pytest.mark.parametrize("row", wrong, ids=[f"{row[0]}-{row[2]}" for row in wrong])
    def test_wrong_answer(row):
        exercise, answer, step, *texts = row
        if isinstance(answer, tuple):
            answer = solution(lesson, exercise, *(answer if isinstance(answer[0], tuple) else [answer]))
        fails(check_of(exercise), defined(answer, names(lesson, exercise), prelude), step, *texts)

    @pytest.mark.parametrize("exercise", numbers)
    def test_solution(exercise, capsys):
        check_of(exercise)(*defined(solution(lesson, exercise), names(lesson, exercise), prelude))
        shown = capsys.readouterr().out.splitlines()
        assert shown == [f"Exercise {exercise} is right.", *(f"  \u2713 {step}" for step in steps(check_of(exercise)))]

    @pytest.mark.parametrize("exercise", numbers)
    def test_no_answer(exercise):
        stub = defined(source(lesson, exercise, "answer"), names(lesson, exercise), prelude)
        fails(check_of(exercise), stub, steps(check_of(exercise))[0], "Not answered yet")
        fails(check_of(exercise), [...] * len(stub), steps(check_of(exercise))[0], "Not answered yet")

    @pytest.mark.parametrize("exercise", numbers)
    def test_each_step_can_fail(exercise):
        tried = {step for number, _, step, *_ in wrong if number == exercise}
        assert tried == set(steps(check_of(exercise)))

    def test_each_exercise_has_wrong_answers():
        assert numbers == [number for number in range(1, 100) if hasattr(checks, f"exercise_{number}")]

    return {test.__name__: test for test in (test_wrong_answer, test_solution, test_no_answer, test_each_step_can_fail,
                                             test_each_exercise_has_wrong_answers)}
