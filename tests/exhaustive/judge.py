# SPDX-License-Identifier: MIT
"""Runs cases under a compiler and beside plain Python, and finds what differs."""
import os
import pathlib
import re
import sys

import numpy as np

import differences
import models
from outcomes import Raised, difference, outcomes

BUILD = pathlib.Path(os.environ.get("GRIDCELL_BUILD", pathlib.Path(__file__).resolve().parents[2] / "build"))

NUMPY = tuple(map(int, np.__version__.split(".")[:2]))


def use_gridcell():
    """Makes `import numba` mean gridcell in this process."""
    sys.path.insert(0, str(BUILD / "python"))
    import gridcell
    gridcell.activate()


def compiled(case):
    import numba
    return getattr(numba, case.compiled_as)(case.function())


def ask(case, seed):
    """What the compiler of this process makes of a case."""
    return outcomes(compiled(case), case, seed)


def is_refused(got):
    return isinstance(got[-1], Raised) and got[-1].is_refusal and not got[-1].is_unclean


def differs(got, want, ulps):
    """None, or (kind, words) of the first round that differs; a refusal stands for all rounds. `ulps`: of each round."""
    last = got[-1]
    if is_refused(got):
        values = [w for w in want if not isinstance(w, Raised)]
        return difference(last, values[0]) if values else None
    return next(filter(None, map(difference, got, want, ulps)), None)


def left_by(got, want, ulps):
    """How the rounds differ, by their numbers."""
    if is_refused(got):
        found = differs(got, want, ulps)
        return {len(got) - 1: found} if found else {}
    both = enumerate(map(difference, got, want, ulps))
    return {place: found for place, found in both if found}


def judged(case, seed, function=None):
    """None where each round of a case is as NumPy has it, or as one of numba's rules; else (kind, words, reasons or None).

    `function` is the compiled one, if a case with the same code has it already. A round without a reason is told
    before those that have one; the reasons are those of all rounds.
    """
    got = outcomes(function or compiled(case), case, seed)
    ulps = models.tolerances(case, seed)
    left = left_by(got, outcomes(models.bounded(case, case.function()), case, seed), ulps)
    others = models.alternatives(case, seed) if any(found[0] != "internal" for found in left.values()) else ()
    for other in others:
        closer = left_by(got, other, ulps)
        reached = len(got) if is_refused(got) else len(other)
        left = {place: nearer(found, closer.get(place) if place < reached else found) for place, found in left.items()}
        left = {place: found for place, found in left.items() if found}
        if not left:
            break
    if not left:
        return None
    verdicts = [(*found, differences.reason(case, *found)) for found in left.values()]
    without = next((verdict for verdict in verdicts if verdict[2] is None), None)
    return without or (verdicts[0][0], verdicts[0][1], tuple(dict.fromkeys(verdict[2] for verdict in verdicts)))


def nearer(found, closer):
    """Of two differences the one that tells more: of values, of fewer; None where there is none any more."""
    return closer if not closer or closer[0] == "value" and (found[0] in ("shape", "dtype") or wrong(closer) < wrong(found)) else found


def wrong(found):
    """How many items differ in value, as the words say."""
    number = re.match(r"(?:.*: )?(\d+) of \d+, at", found[1])
    return int(number[1]) if number else 1
