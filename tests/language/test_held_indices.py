"""Indices that min and max hold within an axis, and choices among values."""
import re
import textwrap

import numpy as np
import pytest
from numba import njit

HELD = ("min(max(j + k, 0), n - 1)", "max(min(j + k, n - 1), 0)", "max(0, min(n - 1, j + k))",
        "min(a.shape[0] - 1, max(0, j + k))", "min(max(j + k, 2), n - 1)", "min(max(j + k, -2), n - 1)",
        "min(max(j + k, 0), n - 2)", "min(max(j + k, 0), n)", "max(min(j + k, n - 1), 1)", "min(j + k, n - 1)")


def blurred(make, index):
    return make(textwrap.dedent(f"""
        def f(a, w, reach, m):
            n = len(a)
            out = np.zeros(m)
            for j in range(m):
                total = 0.0
                for k in range(-reach, reach + 1):
                    total += w[k + reach] * a[{index}]
                out[j] = total
            return out
        """))


def outcome(f, *arguments):
    try:
        return f(*arguments).tolist()
    except IndexError as error:
        return re.search(r"index (-?\d+)", str(error))[1]


@pytest.mark.parametrize("index", HELD)
@pytest.mark.parametrize("boundscheck", (None, True))
def test_held_indices(make, index, boundscheck):
    f = blurred(make, index)
    compiled = njit(boundscheck=boundscheck)(f)
    for n in (0, 1, 2, 7):
        for reach, m in ((0, 1), (1, 3), (3, 9), (2, 0)):
            arguments = np.arange(n) * 1.5, np.arange(2 * reach + 1) + 0.5, reach, m
            assert outcome(compiled, *arguments) == outcome(f, *arguments), (n, reach, m)


def test_they_are_asked_about_ahead(make):
    f = njit(blurred(make, HELD[0]))
    f(np.ones(5), np.ones(3), 1, 5)
    instructions, = re.findall(r"\n\n([^\n]*:(?:(?!\n\n).)*fmul (?:(?!\n\n).)*)", f.inspect_llvm(f.signatures[0]), re.S)
    assert "br i1" in instructions and len(re.findall("icmp", instructions)) <= 2  # of a's index none but whether k is over


CHOICES = {
    "one value": "if c == 65:\n    x = 84\nelif c == 67:\n    x = 71\nelif c == 71:\n    x = 67\nelse:\n    x = c",
    "some cases alike": "if c == 65 or c == 71:\n    x = 1\nelif c == 67:\n    x = 2\nelse:\n    x = 3",
    "two values": "if c == 65:\n    x, y = 1, 2\nelif c == 67:\n    x, y = 3, 4\nelif c == 84:\n    x, y = y, 7\nelse:\n    x = 9",
    "values of before": "if c == 65:\n    y = x\nelif c == 67:\n    x = y\nelif c == 71:\n    x = y + 1\nelif c == 84:\n    y = 0",
    "five cases": "if c == 65:\n    x = 1\nelif c == 67:\n    x = 2\nelif c == 71:\n    x = 3\nelif c == 84:\n    x = 4\n"
                  "elif c == 78:\n    x = 5",
    "with an effect": "if c == 65:\n    x = 1\nelif c == 67:\n    counts[0] += 1\nelif c == 71:\n    x = 3",
}


@pytest.mark.parametrize("choice", CHOICES)
def test_choices_among_values(make, choice):
    lines = ["def f(letters, counts, out):", "    x, y = 0, 5", "    for i in range(len(letters)):", "        c = letters[i]",
             *("        " + line for line in CHOICES[choice].split("\n")), "        out[i] = x + 10 * y", "    return x, y"]
    f = make("\n".join(lines))
    letters = np.frombuffer(b"ACGTNACGGGTTTA" * 9 + b"CCA", np.uint8)
    for dtype in (np.uint8, np.int64):
        of_python, of_ours = (np.zeros(1, int), np.zeros(len(letters))), (np.zeros(1, int), np.zeros(len(letters)))
        assert njit(f)(letters.astype(dtype), *of_ours) == f(letters.astype(dtype), *of_python)
        assert np.array_equal(of_ours[0], of_python[0]) and np.array_equal(of_ours[1], of_python[1])


def test_masks_of_choices_are_of_one_comparison(make):
    source = "def f(letters, out):\n    for i in range(len(letters)):\n        x = letters[i]\n"
    for k, case in enumerate((65, 67, 71, 84)):
        source += f"        {'el' if k else ''}if letters[i] == {case}:\n            out[i] = {case + 19 - k}\n"
    f = njit(make(source + "        else:\n            out[i] = x\n"))
    f(np.zeros(3, np.uint8), np.zeros(3, np.uint8))
    found = f.inspect_llvm(f.signatures[0])
    assert len(re.findall(r"select <\d+ x i1>", found)) >= 4
    assert not re.findall(r"= (?:and|or|xor) <\d+ x i1>|select <\d+ x i1> [^,]*, <\d+ x i1>", found)
