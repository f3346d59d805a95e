"""Findings: counted by class, explained or not, shrunk, and written as programs that run by themselves."""
import collections
import os
import pathlib
import subprocess
import time

import explained
from cases import Case
from shrinker import class_in_child, class_of, shrunk

PRELUDE = '''"""{name}

{text}
"""
import collections
import math

import numpy as np
import numba
from numba import (boolean, cuda, float32, float64, guvectorize, int32, int64, njit, prange, uint8, vectorize)
from numba.experimental import jitclass


def typed_list(items):
    return numba.typed.List(items)


def typed_dict(items):
    made = numba.typed.Dict.empty(numba.int64, numba.float64)
    made.update(items)
    return made


def in_record(array):
    parent = np.zeros(array.shape, dtype=[("pad", np.int64), ("value", array.dtype), ("more", np.int64)])
    parent["value"] = array
    return parent["value"]


{code}

for values in arguments:
    try:
        print(main(*values), values)
    except Exception as error:
        print(repr(error), values)

# What the reference says: ----------------------------------------------------
#
{ref}
'''


class Findings:
    def __init__(self, seed, folder):
        self.seed, self.folder = seed, pathlib.Path(folder) if folder else None
        self.of_class = collections.defaultdict(list)  # (kind, class): [(number, text)]
        self.explained = collections.Counter()

    def add(self, kind, number, name, text=""):
        case = Case(kind, f"{self.seed}:{number}") if not name.startswith("the generator") else None
        reason = case and explained.reason(name, case.code, text)
        if reason:
            self.explained[reason] += 1
        else:
            self.of_class[kind, name].append((number, text))

    def unexplained(self):
        return sum(map(len, self.of_class.values()))

    def write(self, jobs, until, numba=None):
        """A file for each class; the first case of a class is shrunk, all classes side by side."""
        if not self.folder or not self.of_class:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        waiting = sorted(self.of_class.items(), key=lambda item: -len(item[1]))
        waiting = [(place, *item) for place, item in enumerate(waiting)]
        running = set()
        while waiting or running:
            while waiting and len(running) < jobs:
                running.add(self.fork(*waiting.pop(0), until, numba))
            running.discard(os.wait()[0])

    def fork(self, place, key, cases, until, numba):
        pid = os.fork()
        if pid == 0:
            try:
                self.write_one(place, *key, cases, min(until, time.time() + 90), numba)
            finally:
                os._exit(0)
        return pid

    def write_one(self, place, kind, name, cases, until, numba):
        number, text = cases[0]
        file = self.folder / f"{place:03d}-{kind}-{number}.py"
        if name.startswith("the generator"):
            file.write_text(f'"""{name}\n\n{text}"""\n')
            return
        case = Case(kind, f"{self.seed}:{number}")
        title = f"{name} ({len(cases)} cases: {[number for number, _ in cases[:5]]})"
        write_case(file, title, text, case)
        ask = class_in_child if name.startswith(("dies", "hangs")) else class_of
        small = shrunk(case, lambda candidate: ask(candidate) == name, until)
        found = small.difference() if ask is class_of else None
        write_case(file, title, found[1] if found else text, small)
        if numba:
            said = subprocess.run([numba, file], capture_output=True, text=True, timeout=120)
            with open(file, "a") as out:
                out.write("\n# What numba says:\n" + commented(said.stdout + said.stderr[-1500:]))


def write_case(file, title, text, case):
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    file.write_text(PRELUDE.format(name=title.replace("\\", "\\\\").replace('"', "'"), text=text, code=case.code,
                                   ref=commented(case.ref)))


def commented(text):
    return "\n".join(f"# {line}" for line in text.splitlines())
