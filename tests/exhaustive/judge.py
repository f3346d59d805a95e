# SPDX-License-Identifier: MIT
"""Runs cases under a compiler and beside plain Python, and finds what differs."""
import os
import pathlib
import sys

import differences
import models
from outcomes import Raised, difference, outcomes

BUILD = pathlib.Path(os.environ.get("GRIDCELL_BUILD", pathlib.Path(__file__).resolve().parents[2] / "build"))


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


def differs(got, want, ulps):
    """None, or (kind, words) of the first round that differs; a refusal stands for all rounds."""
    last = got[-1]
    if isinstance(last, Raised) and last.is_refusal and not last.is_unclean:
        values = [w for w in want if not isinstance(w, Raised)]
        return difference(last, values[0], ulps) if values else None
    return next(filter(None, (difference(g, w, ulps) for g, w in zip(got, want))), None)


def judged(case, seed, function=None):
    """None where a case is as NumPy has it, or as numba's rules do; else (kind, words, reason or None).

    `function` is the compiled one, if a case with the same code has it already.
    """
    got = outcomes(function or compiled(case), case, seed)
    found = differs(got, outcomes(case.function(), case, seed), case.tolerance)
    if not found:
        return None
    for other in models.alternatives(case, seed) if found[0] != "internal" else ():
        closer = differs(got, other, case.tolerance)
        if not closer:
            return None
        if closer[0] == "value" and found[0] in ("shape", "dtype"):
            found = closer
    return (*found, differences.reason(case, *found))
