"""A sample of random programs and kernels, and that the judge and the shrinker do what they are for."""
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import cases
import judge
import shrinker


def test_sample(tmp_path):
    command = [sys.executable, HERE / "run", "--programs", "100", "--kernels", "40", "--jobs", "2", "--seconds", "100",
               "--seed", "sample", "--out", tmp_path]
    env = {**os.environ, "GRIDCELL_DEVICE": "emulator"}
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    summary = done.stdout.splitlines()[-1]
    assert done.returncode == 0, done.stdout + done.stderr
    programs, kernels = map(int, re.search(r"(\d+) programs, (\d+) kernels", summary).groups())
    assert programs + kernels > 20, summary


def plain_names():
    """What a program calls, where njit leaves a function as it is: its integers do not end at 64 bits then."""
    def jit(function=None, **options):
        return function or (lambda given: given)

    return {**judge.reference_names(), "njit": jit, "prange": range, "vectorize": lambda types: jit}


def test_a_difference_is_found_and_shrunk(monkeypatch):
    monkeypatch.setattr(cases, "COMPILED", plain_names())
    wanted = {}
    for number in range(200):
        case = cases.Case("program", f"shrunk:{number}")
        name = shrinker.class_of(case)
        if name and name.startswith("result"):
            wanted[name] = case
    assert wanted
    name, case = max(wanted.items(), key=lambda item: shrinker.size(item[1]))
    small = shrinker.shrunk(case, lambda other: shrinker.class_of(other) == name, time.time() + 5)
    assert shrinker.class_of(small) == name
    assert shrinker.size(small)[0] < shrinker.size(case)[0] / 3


def test_the_same_choices_make_the_same_program():
    for kind in cases.GENERATORS:
        case = cases.Case(kind, "same:1")
        again = cases.Case(kind, replayed=case.choices.taken)
        assert (case.code, case.ref) == (again.code, again.ref)


def test_an_empty_list_of_choices_is_a_program():
    for kind in cases.GENERATORS:
        case = cases.Case(kind, replayed=[])
        assert "def main" in case.code and len(case.code) < 1500


def test_values_that_print_alike_are_told_apart():
    assert judge.describe(0.0) != judge.describe(-0.0)
    assert judge.describe(1) != judge.describe(1.0) != judge.describe(True)
    assert judge.describe(float("nan")) == judge.describe(float("nan"))


def test_a_death_is_a_finding():
    class Deadly:
        def difference(self):
            os.kill(os.getpid(), 9)

    assert shrinker.class_in_child(Deadly()) == "dies: -9"
