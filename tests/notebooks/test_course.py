"""What every notebook of the course has: goals, exercises whose checks, answers and solutions stand where they
belong, and what nbgrader asks for. tests/course has the wrong answers."""
import pathlib
import re
import subprocess
import sys

import nbformat
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("[0-9][0-9]-*.ipynb"))
# schema version 3 of nbgrader's metadata
NBGRADER = {"answer": {"grade": False, "locked": False, "solution": True},
            "check": {"grade": True, "locked": True, "points": 1, "solution": False}}
lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


def cells(path):
    return nbformat.read(path, as_version=4).cells


def exercises(path):
    """By number: the four cells of an exercise, as they follow each other."""
    found = {}
    for cell in cells(path):
        named = re.fullmatch(r"exercise-(\d+)(-\w+)?", cell.id)
        if named:
            found.setdefault(int(named[1]), []).append(cell)
    return found


@lesson
def test_begins_with_goals_and_ends_with_a_summary(path):
    first, *_, = texts = [cell.source for cell in cells(path) if cell.cell_type == "markdown"]
    assert first.startswith(f"# {int(path.stem[:2])}. ") and "you can" in first and "It takes about" in first
    last = "\n".join(texts[-2:])
    assert "## Summary" in last and "**Primary sources**" in last and last.count("](https://") >= 3


@lesson
def test_exercises(path):
    found = exercises(path)
    assert sorted(found) == list(range(1, len(found) + 1)) and len(found) >= 5
    for number, (text, answer, check, solution) in found.items():
        assert text.source.startswith(f"### Exercise {number}: ")
        assert answer.id.endswith("-answer") and "..." in answer.source
        assert re.fullmatch(rf"check\.exercise_{number}\(.+\)", check.source)
        assert "raises-exception" in check.metadata.tags and check.metadata.expect.ename == "^NotRight$"
        # folded in JupyterLab, and, by the second tag, on the site
        assert solution.metadata.tags == ["solution", "hide-cell"]
        assert solution.source.startswith(f"# A solution of exercise {number}")
        assert solution.source.endswith(check.source)
        assert solution.metadata.expect.stdout == rf"^Exercise {number} is right\."
        assert solution.metadata.jupyter == {"source_hidden": True, "outputs_hidden": True}


@lesson
def test_nbgrader(path):
    for number, (_, answer, check, solution) in exercises(path).items():
        for part, cell in (("answer", answer), ("check", check)):
            assert cell.metadata.nbgrader == {**NBGRADER[part], "grade_id": f"exercise-{number}-{part}", "task": False,
                                              "cell_type": "code", "schema_version": 3}
        assert "nbgrader" not in solution.metadata


@lesson
def test_teachers_note(path):
    """Time, pitfalls, variations."""
    notes = (ROOT / "docs/teaching.md").read_text()
    sections = [section for section in notes.split("\n## ") if f"](../notebooks/{path.name})" in section]
    assert len(sections) == 1
    for word in ("**Time.**", "**Pitfalls.**", "**Variations.**"):
        assert word in sections[0]


def test_the_table_is_current():
    done = subprocess.run([sys.executable, ROOT / "scripts/course", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
